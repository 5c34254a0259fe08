package audit

import (
	"errors"
	"fmt"
	"time"

	"petsupply/internal/supply/tlog"
)

// A Report says what an audit compared and found right, and what it could not compare or prove.
type Report struct {
	Origin      string         `json:"origin"`
	Key         string         `json:"key"`
	KeyGiven    bool           `json:"keyGiven"`
	Kept        int64          `json:"kept"` // size of the checkpoint from an earlier audit; 0 if there is none
	Size        int64          `json:"size"`
	Leaves      map[string]int `json:"leaves"`      // number of leaves read, by format
	Served      []string       `json:"served"`      // tokens whose served figures are those of the newest leaf
	Proven      []string       `json:"proven"`      // tokens in Served whose reads are all proven
	Unproven    []unproven     `json:"unproven"`    // why tokens with evidence are not in Proven
	NotCompared []string       `json:"notCompared"` // keys of JSON members that were not compared
	Declared    []string       `json:"declared"`    // entries with declared amounts, which are not read
	Withdrawn   []string       `json:"withdrawn"`   // tokens in the log that have no figure now
	Wrong       []string       `json:"wrong"`       // tokens in Withdrawn whose newest figures a log marks as wrong
	Bare        []string       `json:"bare"`        // symbols of listed tokens without a figure
	Agreed      []string       `json:"agreed"`      // entries that nodes agreed on, according to the service
	// Retried are errors after which the audit tried again or went on, such as differences from the
	// log, and heads that are older than one that was read before.
	Retried  []string       `json:"retried"`
	Compared map[string]int `json:"compared"` // number of answers compared with the log, by kind
	Blocks   []string       `json:"blocks"`   // blocks of the figures
	Previous []previous     `json:"previous"` // earlier logs of the service, latest first
	Back     []string       `json:"back"`     // tokens whose newest figures went back in time, or to lower blocks
	Cut      []string       `json:"cut"`      // tokens that Unproven, Declared, Agreed or Blocks have no room for
	Demo     bool           `json:"demo"`     // the figures are invented
	At       time.Time      `json:"at"`       // time of the audit
	AsOf     time.Time      `json:"asOf"`     // asOf of the oldest served figure
	// OtherSignatures is the largest number of signatures that a head had besides the log's own and
	// those by witnesses of the given policy. Anyone can add a signature.
	OtherSignatures int `json:"otherSignatures"`
	// Cosigned are the signatures by witnesses of the given policy.
	Cosigned []tlog.Cosignature `json:"cosigned"`
	// Checkpoint is the newest checkpoint that was read. It has Size leaves.
	Checkpoint []byte `json:"-"`
}

// unproven is something that a proof could have shown but did not.
type unproven struct {
	Token  string `json:"token"`
	What   string `json:"what"`
	Reason string `json:"reason"`
}

// A Fault says what is wrong with a service or its log, and where.
type Fault struct {
	Where string
	Err   error
}

func (f *Fault) Error() string { return f.Where + ": " + f.Err.Error() }

func (f *Fault) Unwrap() error { return f.Err }

// An unread error means that an answer could not be read. So nothing is known to be wrong.
type unread struct{ error }

func (u *unread) Unwrap() error { return u.error }

// fault returns a *Fault, unless one of args says that an answer could not be read.
func fault(where, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if u, ok := errors.AsType[*unread](err); ok {
		return u
	}
	return &Fault{where, err}
}
