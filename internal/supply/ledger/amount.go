package ledger

import (
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"
)

// MaxDecimals is the largest number of decimals of a token. 10^77 is the largest power of ten that
// fits in a uint256.
const MaxDecimals = 77

// maxDigits limits the input of ParseAmount. Every uint256 at any decimals fits.
const maxDigits = 160

// An Amount is a quantity of a token: Units / 10^Decimals. Units is never changed, so amounts may
// be copied and shared. The zero Amount is 0.
type Amount struct {
	Units    *big.Int
	Decimals int
}

// Whole returns n whole tokens at the given decimals.
func Whole(n int64, decimals int) Amount {
	return Amount{new(big.Int).Mul(big.NewInt(n), pow10(decimals)), decimals}
}

// Zero returns 0 at the given decimals.
func Zero(decimals int) Amount { return Amount{new(big.Int), decimals} }

// String returns the amount in whole tokens, with every digit, without trailing zeros or an
// exponent.
func (a Amount) String() string {
	if a.Units == nil {
		return "0"
	}
	digits := new(big.Int).Abs(a.Units).String()
	if pad := a.Decimals + 1 - len(digits); pad > 0 {
		digits = strings.Repeat("0", pad) + digits
	}
	point := len(digits) - a.Decimals
	s := digits[:point]
	if frac := strings.TrimRight(digits[point:], "0"); frac != "" {
		s += "." + frac
	}
	if a.Units.Sign() < 0 {
		s = "-" + s
	}
	return s
}

// ParseAmount reads a number of whole tokens, such as 0.50, and keeps all its decimals.
func ParseAmount(s string) (Amount, error) {
	whole, frac, point := strings.Cut(s, ".")
	if whole == "" || !digitsOnly(whole) || point && frac == "" || !digitsOnly(frac) || len(s) > maxDigits {
		return Amount{},
			fmt.Errorf(`amount %q: want digits with at most one decimal point, such as "250000000" or "0.5"`, Clip(s))
	}
	if len(frac) > MaxDecimals {
		return Amount{}, fmt.Errorf("amount %q has more than %d decimals", Clip(s), MaxDecimals)
	}
	units, _ := new(big.Int).SetString(whole+frac, 10)
	return Amount{units, len(frac)}, nil
}

// Grouped puts commas between groups of three digits.
func Grouped(digits string) string {
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Rescale returns the same quantity at other decimals, or an error if digits would be lost.
func (a Amount) Rescale(decimals int) (Amount, error) {
	if decimals < 0 || decimals > MaxDecimals {
		return Amount{}, fmt.Errorf("%d decimals: want 0 to %d", decimals, MaxDecimals)
	}
	same := a.RoundDown(decimals)
	if same.Cmp(a) != 0 {
		return Amount{}, fmt.Errorf("%s does not fit %d decimals: digits would be lost", a, decimals)
	}
	return same, nil
}

// RoundDown returns the largest amount with these decimals that is not above a. The amount a must
// not be negative.
func (a Amount) RoundDown(decimals int) Amount {
	if decimals >= a.Decimals {
		return Amount{a.at(decimals), decimals}
	}
	return Amount{new(big.Int).Quo(a.at(a.Decimals), pow10(a.Decimals-decimals)), decimals}
}

// Add returns a+b at the larger decimals of the two.
func (a Amount) Add(b Amount) Amount {
	x, y, d := align(a, b)
	return Amount{new(big.Int).Add(x, y), d}
}

// Sub returns a-b at the larger decimals of the two; it may be negative.
func (a Amount) Sub(b Amount) Amount {
	x, y, d := align(a, b)
	return Amount{new(big.Int).Sub(x, y), d}
}

// Cmp compares quantities at any decimals.
func (a Amount) Cmp(b Amount) int {
	x, y, _ := align(a, b)
	return x.Cmp(y)
}

// Sign returns -1, 0 or 1.
func (a Amount) Sign() int {
	if a.Units == nil {
		return 0
	}
	return a.Units.Sign()
}

// MarshalText writes the result of String, so that JSON and YAML have a string.
func (a Amount) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads the form that ParseAmount reads.
func (a *Amount) UnmarshalText(b []byte) error {
	return unmarshalText(a, b, ParseAmount)
}

// align converts both to the larger decimals.
func align(a, b Amount) (x, y *big.Int, decimals int) {
	decimals = max(a.Decimals, b.Decimals)
	return a.at(decimals), b.at(decimals), decimals
}

func (a Amount) at(decimals int) *big.Int {
	if a.Units == nil {
		return new(big.Int)
	}
	if a.Decimals == decimals {
		return a.Units
	}
	return new(big.Int).Mul(a.Units, pow10(decimals-a.Decimals))
}

// pow10 returns 10^n.
func pow10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

func digitsOnly(s string) bool { return strings.Trim(s, "0123456789") == "" }

// unmarshalText sets v to the parsed text. On an error v stays unchanged.
func unmarshalText[T any](v *T, text []byte, parse func(string) (T, error)) error {
	read, err := parse(string(text))
	if err == nil {
		*v = read
	}
	return err
}

// Clip shortens s to about 80 bytes, so that a message can quote text from outside.
func Clip(s string) string {
	if len(s) <= 80 {
		return s
	}
	end := 80
	for end > 77 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// A Percent is a fraction in millionths: 10% is 100000. Zero means that it is not set.
type Percent int64

// defaultMaxChange is a token's max_change if it is not configured.
const defaultMaxChange Percent = 100_000

const percentUnit = 10_000 // millionths in one percent

// parsePercent reads "10%" or "2.5%", above 0 and with at most four decimals.
func parsePercent(s string) (Percent, error) {
	number, ok := strings.CutSuffix(s, "%")
	a, err := ParseAmount(number)
	if !ok || err != nil {
		return 0, fmt.Errorf("percentage %q: want a number and a percent sign, such as 10%%", Clip(s))
	}
	a, err = a.Rescale(4)
	if err != nil {
		return 0, fmt.Errorf("percentage %q has more than four decimals", Clip(s))
	}
	if a.Sign() == 0 || !a.Units.IsInt64() || a.Units.Int64() > 1_000_000*percentUnit {
		return 0, fmt.Errorf("percentage %q: want above 0%% and at most 1000000%%", Clip(s))
	}
	return Percent(a.Units.Int64()), nil
}

func (p Percent) number() string { return Amount{big.NewInt(int64(p)), 4}.String() }

// String writes the percentage for people, such as "2.5 %".
func (p Percent) String() string { return p.number() + " %" }

// MarshalText writes the form that parsePercent reads.
func (p Percent) MarshalText() ([]byte, error) { return []byte(p.number() + "%"), nil }

// UnmarshalText reads the form that parsePercent reads.
func (p *Percent) UnmarshalText(b []byte) error {
	return unmarshalText(p, b, parsePercent)
}

// A SignedPercent is a change with its direction, in millionths: -30% is -300000.
type SignedPercent int64

// parseSignedPercent reads "+30%" or "-2.5%". A fall of more than 100% is an error.
func parseSignedPercent(s string) (SignedPercent, error) {
	size, falls := strings.CutPrefix(s, "-")
	size, rises := strings.CutPrefix(size, "+")
	p, err := parsePercent(size)
	if err != nil || falls == rises || falls && p > 100*percentUnit {
		return 0, fmt.Errorf("change %q: want a direction and a percentage, such as +30%% or -30%%", Clip(s))
	}
	if falls {
		p = -p
	}
	return SignedPercent(p), nil
}

// MarshalText writes the form that parseSignedPercent reads.
func (p SignedPercent) MarshalText() ([]byte, error) {
	sign := ""
	if p > 0 {
		sign = "+"
	}
	return []byte(sign + Percent(p).number() + "%"), nil
}

// UnmarshalText reads the form that parseSignedPercent reads.
func (p *SignedPercent) UnmarshalText(b []byte) error {
	return unmarshalText(p, b, parseSignedPercent)
}

// Allows reports whether |part| ≤ whole·p, exactly.
func (p Percent) Allows(part, whole Amount) bool {
	x, y, _ := align(part, whole)
	left := new(big.Int).Mul(new(big.Int).Abs(x), big.NewInt(100*percentUnit))
	return left.Cmp(new(big.Int).Mul(y, big.NewInt(int64(p)))) <= 0
}

// Excess writes |part|, which p does not allow, as a percentage of whole for messages. It is rounded
// to the nearest hundredth. If that is no longer above p, the result is "more than" p. whole must
// not be 0.
func (p Percent) Excess(part, whole Amount) string {
	x, y, _ := align(part, whole)
	n := new(big.Int).Mul(new(big.Int).Abs(x), big.NewInt(20_000))
	n.Add(n, y).Quo(n, new(big.Int).Lsh(y, 1)) // (2·10,000·|x| + y) / 2y
	if rounded := (Amount{n, 2}); rounded.Cmp(Amount{big.NewInt(int64(p)), 4}) > 0 {
		return rounded.String() + " %"
	}
	return "more than " + p.String()
}
