package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A mistake is a possible fault, with the tests that exclude it.
type mistake struct {
	what  string
	tests []string // package.Test
}

// mistakes are errors that were seen in services of this kind, and the tests that prevent them
// here.
var mistakes = []mistake{
	{"`0` or a word with status 200 when a node fails", []string{"cmd/petsupply.TestFaults",
		"internal/web/answer.TestNoParserTakesARefusalForANumber"}},
	{"`0` with status 200 until the first success", []string{"cmd/petsupply.TestNoFigureBeforeTheFirstSuccess"}},
	{"a chain that failed counted as 0", []string{"internal/supply.TestMeasurementIsAllOrNothing",
		"cmd/petsupply.TestFaults"}},
	{"an empty return read as 0", []string{"internal/supply.TestReturnThatIsNotExactly32BytesIsAnErrorNeverZero"}},
	{"a node's error ends the service", []string{"internal/supply.TestRunGoesOnAfterFaults", "cmd/petsupply.TestFaults"}},
	{"a figure with an exponent (`1.035e+10`), a newline or other text",
		[]string{"internal/supply/ledger.TestAmountPrintsEveryDigit", "internal/web.TestEveryFormHasTheSameSnapshot"}},
	{"wrong digits from floating-point numbers", []string{"internal/supply.TestNoFloatAnywhere",
		"internal/supply/ledger.FuzzAmount"}},
	{"bridged tokens counted twice", []string{"internal/supply.TestBridgeCountSourceCountsTheSourceOnly"}},
	{"a bridge that mints more than it holds, and is not detected",
		[]string{"internal/supply.TestRemoteSupplyAboveEscrowPlusSlackRejects"}},
	{"a token has one bridge that burns and another bridge that locks, and one rule counts both",
		[]string{"internal/supply.TestBridgeCountSumCountsEachSide", "internal/supply.TestMeasuredOnRealChains"}},
	{"balances of dead addresses left in the total",
		[]string{"internal/supply.TestTotalIsCountedIssueMinusBurnedAndCirculatingIsTotalMinusLockedAndReserved"}},
	{"the same decimals assumed on all chains", []string{"internal/supply.TestERC20IsScaledByItsContractsOwnDecimals"}},
	{"an address listed twice", []string{"internal/supply/ledger.TestValidateFindsEveryFaultAndNamesItsPlace",
		"cmd/petsupply.TestConfigCheckOnline"}},
	{"sudden changes checked in one direction only",
		[]string{"internal/supply.TestChangeBeyondMaxChangeUpOrDownIsHeld"}},
	{"one figure from reads at different moments", []string{"internal/evm.TestPinnedReads",
		"internal/supply.TestChainsThatABridgeJoinsAreReadAtOneMoment"}},
	{"a node believed although it ignores the requested block, is behind, or is on another chain",
		[]string{"internal/evm.TestFaults", "cmd/petsupply.TestFaults"}},
	{"one node believed although others disagree", []string{"internal/evm.TestDisagreement", "cmd/petsupply.TestFaults"}},
	{"a figure served at any age", []string{"internal/supply.TestStatusTurnsStaleAndThenUnavailableByTimeAlone",
		"cmd/petsupply.TestFaults"}},
	{"a chain asked on every request", []string{"cmd/petsupply.TestNoRequestWaitsForAChainOrReachesOne"}},
	{"figures lost at a restart", []string{"cmd/petsupply.TestLastGoodFiguresSurviveRestartAndKill"}},
	{"a figure that nobody can recompute", []string{"cmd/petsupply.TestVerifyOnSecondNodes"}},
	{"errors that caches keep", []string{"cmd/petsupply.TestFaults", "internal/web.TestScripts"}},
}

// TestMistakesHaveTests checks that every test in the list exists.
func TestMistakesHaveTests(t *testing.T) {
	named(t, "mistakes", "mistake", mistakes)
	named(t, "bounds", "attempt", bounds)
}

// bounds are attempts of callers, files, nodes and databases to harm the service, with their tests.
var bounds = []mistake{
	{"HTTP/2: streams opened and reset at once", []string{"internal/app.TestRapidResetsOfHTTP2AreBounded"}},
	{"HTTP/2: a header that never ends", []string{"internal/app.TestEndlessHeadersOfHTTP2AreBounded"}},
	{"floods of unknown hosts, encodings, ids, paths and addresses",
		[]string{"internal/web.TestFloodsOfNewWordsAreNotRemembered"}},
	{"a pack that is a zip bomb, lies about its sizes or leads out of its folder",
		[]string{"internal/art.TestBadArchives"}},
	{"a pack whose layers or pack.json unpack to gigabytes",
		[]string{"internal/art.TestLayersThatGrowInMemoryAreRefused",
			"internal/art/petpack.TestAManifestThatGrowsIsRefused"}},
	{"an import with endless lines, thousands of keys or huge numbers",
		[]string{"internal/pet.TestAnImportOfAnyFileIsBounded"}},
	{"a file of evidence or proofs that unpacks to a large size in memory",
		[]string{"internal/supply.TestAFileThatGrowsInMemoryIsRefused"}},
	{"text from files, servers and nodes that controls the terminal or forges lines of output",
		[]string{"cmd/petsupply.TestNothingForeignReachesATerminalUnescaped"}},
	{"a chain that was restarted, or a contract with other decimals",
		[]string{"cmd/petsupply.TestAReplacedChainIsAcceptedByACommand",
			"internal/supply.TestAReplacedChainIsAcceptedOnceAndByAPersonOnly",
			"internal/supply.TestChangedDecimalsAreAcceptedByAPersonOnly"}},
	{"a store with the tables of another version", []string{"internal/store/database.TestOtherSchemaIsRefused",
		"internal/store/database.TestNewerStoreIsRefused", "cmd/petsupply/trial.TestCluster"}},
	{"a leader that is paused for longer than its lease, or whose database is replaced by an older copy",
		[]string{"internal/store.TestPausedLeaderCannotWrite",
			"internal/pet/directory.TestMemoryIsForgottenWhenTheFeedGoesBack",
			"internal/supply.TestAStoreThatWentBackIsReadAgain"}},
	{"a node whose answer is much larger than the request needs",
		[]string{"internal/evm.TestAnAnswerCostsMemoryInProportionToWhatWasAsked",
			"internal/evm/jsonrpc.TestABatchCostsMemoryInProportionToWhatWasAsked"}},
	{"one address that takes all streams, connections or costly work",
		[]string{"internal/web.TestOneAddressCannotHoldAllStreams",
			"internal/app.TestAmongBusyConnectionsTheLargestHolderGivesWay", "internal/web.TestCostlyWorkIsLimited"}},
	{"a signal while a command waits for input", []string{"cmd/petsupply.TestASignalEndsACommandWhateverItReads",
		"internal/art.TestPipe"}},
	{"pets that cannot be read, and realms whose nodes keep little state",
		[]string{"internal/pet/index.TestNobodyWaitsForPetsThatCannotBeRead",
			"internal/pet/index.TestAnOutageOfAnyLengthHealsOnANodeThatKeepsLittleState"}},
	{"a listing by a rare trait among millions of pets",
		[]string{"internal/store.TestListingsAreLedByTheRarestCondition",
			"internal/store.TestListingsArePlannedForTheirOwnValues"}},
	{"a contract that keeps emitting events about all its pets",
		[]string{"internal/pet/index.TestRepeatedAnnouncementsOfAllPetsStarveNone"}},
	{"a feed of changes that is shortened, or goes back after a restore",
		[]string{"internal/store.TestChangesAreKeptUntilTheyArePruned", "internal/store.TestChangesAreFollowed"}},
	{"a replica of the database that is down or behind", []string{"internal/app.TestPetsAreReadFromAReplica"}},
	{"a realm whose nodes stay behind, or do not answer",
		[]string{"internal/app.TestReadinessReportsARealmWithoutProgress",
			"internal/pet/index.TestARealmWhoseNodesStayBehindStandsStill"}},
}

// named compares a section of docs/FAULTS.md with a list, and checks that every test in it exists.
func named(t *testing.T, name, column string, list []mistake) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | tests |\n|---|---|\n", column)
	for _, m := range list {
		for _, name := range m.tests {
			at := strings.LastIndex(name, ".")
			if !declares(t, name[:at], name[at+1:]) {
				t.Errorf("%s: there is no test %s", m.what, name)
			}
		}
		fmt.Fprintf(&b, "| %s | %s |\n", m.what, "`"+strings.Join(m.tests, "`, `")+"`")
	}
	if !t.Failed() {
		section(t, name, b.String())
	}
}

// declares reports whether a package has such a test.
func declares(t *testing.T, dir, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../..", dir, "*_test.go"))
	must(t, err)
	head := regexp.MustCompile(`(?m)^func ` + name + `\(`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
		if head.Match(text) {
			return true
		}
	}
	return false
}
