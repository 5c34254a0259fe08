package web

// The costs of answers that are made for one caller, in milliseconds of CPU. A pack knows the cost
// of its pictures. A test in internal/app measures all costs. Prepared answers cost nothing.
const (
	petCost      = 1.0   // to look up a pet that is not in memory
	storedCost   = 0.1   // to look up each such pet, if a request asks for several
	pastCost     = 1.0   // to look up an earlier state and make its answer
	evidenceCost = 2.0   // to read the evidence of an earlier snapshot, and to prove that the snapshot is in the log
	historyCost  = 0.5   // to read a pet's history
	figuresCost  = 2     // to read a token's history, besides pointCost
	pointCost    = 0.005 // for each point of a token's history
	listCost     = 0.5   // to read a page of pets or changes, besides documentCost or changeCost
	walkCost     = 2.0   // to find the pets that meet all conditions, among those that meet one of them
	documentCost = 0.1   // for each document in an answer about several pets
	changeCost   = 0.01  // for each change in an answer that lists changes
	tileCost     = 0.25  // to read a tile of a log, or to find an earlier log
)
