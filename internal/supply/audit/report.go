package audit

import (
	"fmt"
	"time"
)

// A Report lists what held.
type Report struct {
	Origin    string         `json:"origin"`
	Key       string         `json:"key"`
	KeyGiven  bool           `json:"keyGiven"`
	From      int64          `json:"from"` // the size of the checkpoint that was kept
	Size      int64          `json:"size"`
	Leaves    map[string]int `json:"leaves"`    // those that were read, by format
	Served    []string       `json:"served"`    // tokens whose figure is the newest leaf
	Proven    []string       `json:"proven"`    // those of them whose proof was executed
	Withdrawn []string       `json:"withdrawn"` // tokens in the log that are no longer served
	Witnesses int            `json:"witnesses"` // signatures beside the log's own, by anyone
	// Cosigned are those among them by witnesses whose keys were given.
	Cosigned   []cosignature `json:"cosigned"`
	Checkpoint []byte        `json:"-"`
}

// A cosignature says that a witness saw the head of the log, and that the log had
// only grown until then.
type cosignature struct {
	Witness string    `json:"witness"`
	Time    time.Time `json:"time"` // by the clock of the witness
}

// A Fault is something that does not hold.
type Fault struct {
	Where string
	Err   error
}

func (f *Fault) Error() string { return f.Where + ": " + f.Err.Error() }

func (f *Fault) Unwrap() error { return f.Err }

func fault(where, format string, args ...any) error {
	return &Fault{where, fmt.Errorf(format, args...)}
}
