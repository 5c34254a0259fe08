package web

// The cost of answers that are made for one caller, in units of a millisecond of CPU. A pack knows
// what its pictures cost. A test in internal/app measures all of them. Prepared answers cost
// nothing.
const (
	petCost      = 1.0  // to look up a pet that is not in memory
	storedCost   = 0.1  // the same for one of several
	pastCost     = 1.0  // to look up an earlier state, with its answer
	evidenceCost = 2.0  // to read the evidence of an earlier state, and to show that it is in the log
	historyCost  = 0.5  // to begin to read a history
	pointCost    = 0.01 // to answer with a point of a token's history
	listCost     = 0.5  // to begin to read a listing
	walkCost     = 2.0  // to search the pets that meet one condition for those that meet all
	documentCost = 0.1  // to answer with one of several documents
	changeCost   = 0.01 // to answer with one of several changes
	tileCost     = 0.25
)
