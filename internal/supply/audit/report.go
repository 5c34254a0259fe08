package audit

import (
	"fmt"
	"time"

	"petsupply/internal/supply/tlog"
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
	Proven    []string       `json:"proven"`    // those of them of which everything that was read is proven
	Unproven  []unproven     `json:"unproven"`  // what is not, of the others
	Declared  []string       `json:"declared"`  // entries whose amounts are declared, and not read
	Withdrawn []string       `json:"withdrawn"` // tokens in the log that have no figure now
	Compared  map[string]int `json:"compared"`  // answers that were compared with the log, by kind
	Blocks    []string       `json:"blocks"`    // that the figures name
	Previous  []previous     `json:"previous"`  // logs that the service had before, the latest first
	Demo      bool           `json:"demo"`      // the figures are invented
	At        time.Time      `json:"at"`        // when this was checked
	Measured  time.Time      `json:"measured"`  // when the oldest served figure was, as the service says
	Witnesses int            `json:"witnesses"` // signatures beside the log's own, by anyone
	// Cosigned are those among them by witnesses of the given policy.
	Cosigned   []tlog.Cosignature `json:"cosigned"`
	Checkpoint []byte             `json:"-"`
}

// unproven is something that a proof could have shown, and did not.
type unproven struct {
	Token  string `json:"token"`
	What   string `json:"what"`
	Reason string `json:"reason"`
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
