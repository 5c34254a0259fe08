package supply

import (
	"fmt"
	"math/big"
	"strings"
)

// A Percent is a share in millionths: 10% is 100000. Zero means "not given".
type Percent int64

// DefaultMaxChange is a token's max_change where its config says nothing.
const DefaultMaxChange Percent = 100_000

const percentUnit = 10_000 // millionths in one percent

// ParsePercent reads "10%" or "2.5%", above 0 and with at most four decimals.
func ParsePercent(s string) (Percent, error) {
	number, ok := strings.CutSuffix(s, "%")
	a, err := ParseAmount(number)
	if !ok || err != nil {
		return 0, fmt.Errorf("percentage %q: want a number and a percent sign, such as 10%%", clip(s))
	}
	if a, err = a.Rescale(4); err != nil {
		return 0, fmt.Errorf("percentage %q: at most four decimals", clip(s))
	}
	if a.Sign() == 0 || !a.Units.IsInt64() || a.Units.Int64() > 1_000_000*percentUnit {
		return 0, fmt.Errorf("percentage %q: want above 0%% and at most 1000000%%", clip(s))
	}
	return Percent(a.Units.Int64()), nil
}

func (p Percent) String() string {
	return Amount{big.NewInt(int64(p)), 4}.String() + "%"
}

// MarshalText writes the form that ParsePercent reads.
func (p Percent) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads what ParsePercent reads.
func (p *Percent) UnmarshalText(b []byte) error {
	return unmarshalText(p, b, ParsePercent)
}

// allows says whether part is within p of whole: |part| ≤ whole·p, exactly.
func (p Percent) allows(part, whole Amount) bool {
	x, y, _ := align(part, whole)
	left := new(big.Int).Mul(new(big.Int).Abs(x), big.NewInt(100*percentUnit))
	return left.Cmp(new(big.Int).Mul(y, big.NewInt(int64(p)))) <= 0
}

// percentOf is part as a percentage of whole with two decimals, for people.
func percentOf(part, whole Amount) string {
	x, y, _ := align(part, whole)
	if y.Sign() == 0 {
		return "from nothing"
	}
	hundredths := new(big.Int).Mul(new(big.Int).Abs(x), big.NewInt(10_000))
	hundredths.Quo(hundredths, y)
	return Amount{hundredths, 2}.String() + "%"
}
