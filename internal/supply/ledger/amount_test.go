package ledger

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"unicode/utf8"
)

// parseAt reads whole tokens as an Amount with the given decimals.
func parseAt(s string, decimals int) (Amount, error) {
	a, err := ParseAmount(s)
	if err != nil {
		return Amount{}, err
	}
	return a.Rescale(decimals)
}

func TestAmountPrintsEveryDigit(t *testing.T) {
	most := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	for _, c := range []struct {
		units    *big.Int
		decimals int
		want     string
	}{
		{most, 18, "115792089237316195423570985008687907853269984665640564039457.584007913129639935"},
		{most, 0, "115792089237316195423570985008687907853269984665640564039457584007913129639935"},
		{most, 77, "1.15792089237316195423570985008687907853269984665640564039457584007913129639935"},
		{big.NewInt(0), 18, "0"},
		{nil, 18, "0"},
		{big.NewInt(1), 18, "0.000000000000000001"},
		{big.NewInt(1500), 3, "1.5"},
		{big.NewInt(1000), 3, "1"},
		{big.NewInt(100), 0, "100"},
		{big.NewInt(-15), 1, "-1.5"},
	} {
		t.Run(c.want, func(t *testing.T) {
			if got := (Amount{c.units, c.decimals}).String(); got != c.want {
				t.Errorf("%v with %d decimals prints %q, want %q", c.units, c.decimals, got, c.want)
			}
		})
	}
}

func TestParseAmount(t *testing.T) {
	for _, c := range []struct {
		in       string
		decimals int
		want     string // the units; "": an error
	}{
		{"1", 18, "1000000000000000000"},
		{"0.5", 1, "5"},
		{"250000000", 0, "250000000"},
		{"1.50", 1, "15"},
		{"1.55", 1, ""}, // a digit would be lost
		{"", 0, ""}, {".5", 1, ""}, {"5.", 1, ""}, {"-1", 0, ""}, {"+1", 0, ""}, {"1e3", 0, ""}, {"1,000", 0, ""},
		{" 1", 0, ""}, {"1\n", 0, ""}, {"0x10", 0, ""}, {"1_000", 0, ""}, {"١", 0, ""}, {"1.2.3", 3, ""},
		{strings.Repeat("9", 200), 0, ""},
		{"1", MaxDecimals + 1, ""}, {"1", -1, ""},
	} {
		t.Run(fmt.Sprint(c.in, " with ", c.decimals), func(t *testing.T) {
			a, err := parseAt(c.in, c.decimals)
			if (err != nil) != (c.want == "") || err == nil && a.Units.String() != c.want {
				t.Errorf("ParseAmount(%q, %d) = %v, %v; want %q", c.in, c.decimals, a.Units, err, c.want)
			}
		})
	}
}

func TestAmountArithmeticAlignsDecimals(t *testing.T) {
	amount := func(s string) Amount {
		a, _ := ParseAmount(s)
		return a
	}
	a, b := amount("1.5"), amount("0.25")
	if got := a.Add(b).String(); got != "1.75" {
		t.Errorf("1.5 + 0.25 = %s", got)
	}
	if got := b.Sub(a).String(); got != "-1.25" {
		t.Errorf("0.25 - 1.5 = %s", got)
	}
	if a.Cmp(b) <= 0 || a.Cmp(amount("1.500")) != 0 || (Amount{}).Cmp(Zero(18)) != 0 {
		t.Error("amounts compare wrongly across decimals")
	}
}

func FuzzAmount(f *testing.F) {
	for _, s := range []string{"0", "1.5", "250000000", "0.000000000000000001", "9.99", "-1", "1e5", "00012.500"} {
		f.Add(s, 18)
	}
	f.Fuzz(func(t *testing.T, s string, decimals int) {
		a, err := parseAt(s, decimals)
		if err != nil {
			return
		}
		if a.Decimals != decimals {
			t.Fatalf("%q has %d decimals, want %d", s, a.Decimals, decimals)
		}
		again, err := parseAt(a.String(), decimals)
		if err != nil || again.Units.Cmp(a.Units) != 0 {
			t.Fatalf("%q prints %q, which reads %v, %v", s, a, again, err)
		}
		text, err := json.Marshal(a)
		if err != nil || string(text) != `"`+a.String()+`"` {
			t.Fatalf("%q is %s in JSON, %v", s, text, err)
		}
	})
}

func TestPercent(t *testing.T) {
	for in, want := range map[string]Percent{
		"10%": 100_000, "2.5%": 25_000, "0.0001%": 1, "100%": 1_000_000, "1000%": 10_000_000,
		"0%": 0, "10": 0, "": 0, "%": 0, "-1%": 0, "0.00001%": 0, "1e3%": 0, "10 %": 0, "99999999999%": 0,
	} {
		got, err := parsePercent(in)
		if got != want || (err != nil) != (want == 0) {
			t.Errorf("parsePercent(%q) = %d, %v; want %d", in, got, err, want)
		}
		if err != nil {
			continue
		}
		text, _ := got.MarshalText()
		if people := strings.Replace(in, "%", " %", 1); string(text) != in || got.String() != people {
			t.Errorf("%q is written as %q, and for people as %q", in, text, got)
		}
	}
}

func TestParseDuration(t *testing.T) {
	for in, want := range map[string]string{
		"30d": "720h0m0s", "24h": "24h0m0s", "90s": "1m30s", "10m": "10m0s", "7d": "168h0m0s", "1h30m": "1h30m0s",
		"90m": "1h30m0s", "2w": "336h0m0s",
		"": "", "d": "", "30": "", "0d": "", "-1d": "", "1y": "", "1.5d": "", "99999999999d": "",
		"36500d": "876000h0m0s", "36501d": "",
	} {
		got, err := ParseDuration(in)
		if (err != nil) != (want == "") || err == nil && got.String() != want {
			t.Errorf("ParseDuration(%q) = %v, %v; want %q", in, got, err, want)
		}
	}
}

// Foreign text is cut between two characters, and bytes that are no text are cut, too.
func TestClip(t *testing.T) {
	for _, char := range []string{"a", "é", "€", "🐾"} {
		text := "x" + strings.Repeat(char, 100)
		if got := Clip(text); !utf8.ValidString(got) || len(got) < 78 || len(got) > 83 {
			t.Errorf("%q", got)
		}
	}
	if got := Clip(strings.Repeat("\x80", 100)); len(got) < 78 {
		t.Errorf("%q", got)
	}
}

func TestSignedPercent(t *testing.T) {
	for text, want := range map[string]SignedPercent{"+30%": 300_000, "-30%": -300_000, "+2.5%": 25_000} {
		var p SignedPercent
		if err := p.UnmarshalText([]byte(text)); err != nil || p != want {
			t.Errorf("%s is read as %d, %v", text, p, err)
		}
		if written, _ := p.MarshalText(); string(written) != text {
			t.Errorf("%s is written as %s", text, written)
		}
	}
	for _, text := range []string{"30%", "", "+", "-", "+-30%", "--30%", "+30", "+0%", "-101%", "30%+"} {
		var p SignedPercent
		if err := p.UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), "+30%") {
			t.Errorf("%q is read as %d, %v", text, p, err)
		}
	}
}
