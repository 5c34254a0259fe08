package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// mistakes are what services of this kind were seen to get wrong, and the tests
// that keep us from it.
var mistakes = []struct {
	what  string
	tests []string // package.Test
}{
	{"`0` or a word with status 200 when a node fails", []string{"cmd/petsupply.TestFaults", "internal/web.TestARefusedFigureIsNoNumber"}},
	{"`0` with status 200 until the first success", []string{"cmd/petsupply.TestNoFigureBeforeTheFirstSuccess"}},
	{"a chain that failed counted as 0", []string{"internal/supply.TestMeasurementIsAllOrNothing", "cmd/petsupply.TestFaults"}},
	{"an empty return read as 0", []string{"internal/supply.TestReturnThatIsNotExactly32BytesIsAnErrorNeverZero"}},
	{"a node's error ends the service", []string{"internal/supply.TestRunGoesOnAfterFaults", "cmd/petsupply.TestFaults"}},
	{"exponent notation (`1.035e+10`), a newline, other forms than digits", []string{"internal/supply.TestAmountPrintsEveryDigit", "internal/web.TestEveryFormTellsTheSameSnapshot"}},
	{"floats, and the false digits they print", []string{"internal/supply.TestNoFloatAnywhere", "internal/supply.FuzzAmount"}},
	{"bridged tokens counted twice", []string{"internal/supply.TestBridgeCountSourceCountsTheSourceOnly"}},
	{"a bridge that does not conserve, unnoticed; what is in flight", []string{"internal/supply.TestRemoteSupplyAboveEscrowPlusSlackRejects"}},
	{"one token burned by one bridge and escrowed by another", []string{"internal/supply.TestBridgeCountSumCountsEachSide", "internal/supply.TestMeasuredOnRealChains"}},
	{"balances of dead addresses left inside the total", []string{"internal/supply.TestTotalIsCountedIssueMinusBurnedAndCirculatingIsTotalMinusLockedAndReserved"}},
	{"decimals that differ by chain taken for equal", []string{"internal/supply.TestERC20IsScaledByItsContractsOwnDecimals"}},
	{"an address listed twice", []string{"internal/supply.TestValidateFindsEveryFaultAndNamesItsPlace", "cmd/petsupply.TestConfigCheckOnline"}},
	{"a guard against sudden changes that looks one way only", []string{"internal/supply.TestChangeBeyondMaxChangeUpOrDownIsHeld"}},
	{"reads that are not pinned to a block: a figure of two moments", []string{"internal/evm.TestPinnedReads", "internal/supply.TestChainsThatABridgeJoinsAreReadAtOneMoment"}},
	{"a node that ignores the block, lags, or is of another chain, believed", []string{"internal/evm.TestFaults", "cmd/petsupply.TestFaults"}},
	{"one node believed although others disagree", []string{"internal/evm.TestDisagreement", "cmd/petsupply.TestFaults"}},
	{"a figure of any age served for ever", []string{"internal/supply.TestStatusTurnsStaleAndThenUnavailableByTimeAlone", "cmd/petsupply.TestFaults"}},
	{"a chain asked on every request", []string{"cmd/petsupply.TestNoRequestWaitsForAChainOrReachesOne"}},
	{"nothing kept over a restart", []string{"cmd/petsupply.TestLastGoodFiguresSurviveRestartAndKill"}},
	{"a figure that nobody can recompute", []string{"cmd/petsupply.TestVerifyOnSecondNodes"}},
	{"errors that caches keep", []string{"cmd/petsupply.TestFaults", "internal/web.TestScripts"}},
}

// TestMistakesHaveTests keeps the list true: every test that it names exists.
func TestMistakesHaveTests(t *testing.T) {
	var b strings.Builder
	fmt.Fprintln(&b, "| mistake | tests |\n|---|---|")
	for _, m := range mistakes {
		for _, name := range m.tests {
			at := strings.LastIndex(name, ".")
			if !declares(t, name[:at], name[at+1:]) {
				t.Errorf("%s: there is no test %s", m.what, name)
			}
		}
		fmt.Fprintf(&b, "| %s | %s |\n", m.what, "`"+strings.Join(m.tests, "`, `")+"`")
	}
	if !t.Failed() {
		section(t, "mistakes", b.String())
	}
}

// declares says whether a package has such a test.
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
