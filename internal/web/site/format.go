package site

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"math/big"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"petsupply/internal/pet"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// funcs returns the functions that templates call.
func (s *Site) funcs() template.FuncMap {
	return template.FuncMap{
		"figure":    figure,
		"source":    func() string { return s.About.Source },
		"released":  s.released,
		"asset":     func(name string) string { return s.assets[name] },
		"site":      func(path string) string { return s.base + path },
		"supply":    func(path string) string { return s.SupplyURL + path },
		"pets":      func(path string) string { return s.PetsURL + path },
		"iso":       func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"when":      when,
		"minute":    minute,
		"date":      date,
		"ago":       func(t time.Time) string { return age(max(0, time.Since(t))) },
		"from":      func(t time.Time) string { return age(time.Since(t)) },
		"length":    length,
		"due":       due,
		"say":       s.say,
		"lower":     strings.ToLower,
		"licence":   licence,
		"line":      func(p pet.Pet) string { return s.Words.Line(&p) },
		"number":    func(n uint64) string { return ledger.Grouped(strconv.FormatUint(n, 10)) },
		"ms":        func(d time.Duration) string { return ledger.Grouped(strconv.FormatInt(d.Milliseconds(), 10)) + " ms" },
		"short":     short,
		"ownerName": s.ownerName,
		"breakable": breakable,
		"picture":   s.picture,
		"words":     statusWords,
		"marked":    s.marked,
		"reason":    reason,
		"fieldtime": func(t time.Time) string { return t.UTC().Format(fieldTime) },
		"chain":     s.chainName,
		"chainID":   s.chainID,
		"whole":     func(a ledger.Amount) template.HTML { return figure(new(a.RoundDown(0))) },
		"amount":    func(a ledger.Amount) template.HTML { return figure(&a) },
		"name":      func(p pet.Pet) string { return s.Words.Name(&p) },
		"nameParts": s.nameParts,
		"brief":     brief,
		"realm":     func(p pet.Pet) string { return s.homeRealm(p.ID) },
		"where":     s.where,
		"deref":     func(n *uint64) uint64 { return *n },
		"plus":      func(a, b uint64) uint64 { return a + b },
	}
}

// creativeCommons matches the SPDX identifiers of the licences of Creative Commons.
var creativeCommons = regexp.MustCompile(`^CC(0|-BY(-NC)?(-ND|-SA)?)-[1-4]\.\d$`)

// licence writes the name of a licence, with a link to its text if the name is an identifier of
// Creative Commons.
func licence(name string) template.HTML {
	text := template.HTMLEscapeString(name)
	if creativeCommons.MatchString(name) {
		text = `<a href="https://spdx.org/licenses/` + text + `.html" rel="license noopener">` + text + "</a>"
	}
	return template.HTML(text)
}

// when writes a time to the second.
func when(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04:05 UTC") }

// minute writes a time to the minute.
func minute(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04 UTC") }

// date writes a date of a configuration file, such as 2026-01-31, in the form of minute. Other text
// stays as it is.
func date(text string) string {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return text
	}
	return t.Format("2 Jan 2006")
}

// say puts the collection's words for its pets into a text, in place of {one} and {many}, or {One}
// and {Many} with a capital letter.
func (s *Site) say(text string) string {
	one, many := "pet", "pets"
	if s.Words != nil {
		one, many = s.Words.Collection.One, s.Words.Collection.Many
	}
	capital := func(t string) string {
		first, size := utf8.DecodeRuneInString(t)
		return string(unicode.ToUpper(first)) + t[size:]
	}
	return strings.NewReplacer("{one}", one, "{many}", many, "{One}", capital(one), "{Many}", capital(many)).Replace(text)
}

const (
	unbroken  = 4  // a number with at most this many groups of three digits stays on one line
	restPiece = 18 // digits after the point that stay together
)

// figure formats an amount for people: whole tokens in groups of three digits, then the digits
// after the point. A line can break at the point, after every 18 digits behind it, and between the
// groups of a long number.
func figure(a *ledger.Amount) template.HTML {
	if a == nil {
		return `<span class="figure"><span class="whole">–</span></span>`
	}
	digits, rest, _ := strings.Cut(a.String(), ".")
	out := `<span class="figure"><span class="whole">` + pieces(digits) + "</span>"
	point := "."
	for rest != "" {
		n := min(restPiece, len(rest))
		out += `<span class="rest">` + point + rest[:n] + "</span>"
		rest, point = rest[n:], ""
	}
	return template.HTML(out + "</span>")
}

// pieces groups digits by three. In a long number, lines can break after each comma.
func pieces(digits string) string {
	grouped := ledger.Grouped(digits)
	if strings.Count(grouped, ",") < unbroken {
		return grouped
	}
	return strings.ReplaceAll(grouped, ",", ",<wbr>")
}

// due describes a future time in words.
func due(t time.Time) string {
	if time.Until(t) < time.Second {
		return "now"
	}
	return age(time.Since(t))
}

// age describes how long ago something was, such as "2 days ago". If d is negative, it describes
// the future, such as "in 2 days".
func age(d time.Duration) string {
	switch {
	case d <= -time.Second:
		return "in " + length(-d)
	case d < time.Second:
		return "just now"
	}
	return length(d) + " ago"
}

// length writes a length of time in the largest unit that fits, as "2 days". Less than a second
// becomes "1 second".
func length(d time.Duration) string {
	n, name := max(int64(d/time.Second), 1), "second"
	for _, u := range []struct {
		size int64
		name string
	}{{24 * 60 * 60, "day"}, {60 * 60, "hour"}, {60, "minute"}} {
		if n >= u.size {
			n, name = n/u.size, u.name
			break
		}
	}
	if n > 1 {
		name += "s"
	}
	return ledger.Grouped(strconv.FormatInt(n, 10)) + " " + name
}

// often returns the words after "every", such as "2 minutes" or "hour".
func often(d time.Duration) string { return strings.TrimPrefix(length(d), "1 ") }

// short keeps both ends of a long hexadecimal number.
func short(s string) string {
	if len(s) <= 14 {
		return s
	}
	return s[:8] + "…" + s[len(s)-4:]
}

// breakable returns an address as HTML in which a line can break after each slash.
func breakable(address string) template.HTML {
	scheme, rest, found := strings.Cut(template.HTMLEscapeString(address), "://")
	if found {
		scheme += "://" + strings.ReplaceAll(rest, "/", "/<wbr>")
	}
	return template.HTML(scheme)
}

// portion returns scale*a/whole, rounded down, and at most the largest int64. It returns 0 if a is
// negative, or if whole is not positive.
func portion(a, whole ledger.Amount, scale int64) int64 {
	if whole.Sign() <= 0 || a.Sign() < 0 {
		return 0
	}
	d := max(a.Decimals, whole.Decimals)
	n := new(big.Int).Mul(a.RoundDown(d).Units, big.NewInt(scale))
	if n.Quo(n, whole.RoundDown(d).Units); !n.IsInt64() {
		return math.MaxInt64
	}
	return n.Int64()
}

// longNumber matches numbers with many digits, such as those in reasons of holds and rejections.
var longNumber = regexp.MustCompile(`\b(\d{5,}\.\d+|\d+\.\d{3,}|\d{5,})\b`)

// reason returns the reason of a decision about figures, as pages show it.
func reason(text string) string { return sentence(readable(text)) }

// readable shortens the long numbers of a text: groups of three, and no digits after the point. If
// one of the numbers is less than 1,000, or if two different numbers would then look the same, all
// keep two digits after the point. If two would still look the same, all numbers keep their digits.
func readable(text string) string {
	long := longNumber.FindAllString(text, -1)
	small := slices.ContainsFunc(long, func(n string) bool {
		whole, _, _ := strings.Cut(n, ".")
		return len(whole) <= 3
	})
	short := grouped
	for _, digits := range []int{2, 0} {
		if digits == 0 && small {
			break
		}
		cut := func(n string) string {
			whole, rest, _ := strings.Cut(n, ".")
			if rest = rest[:min(digits, len(rest))]; strings.Trim(rest, "0") == "" {
				return ledger.Grouped(whole)
			}
			return ledger.Grouped(whole) + "." + rest
		}
		numbers, forms := map[string]bool{}, map[string]bool{}
		for _, n := range long {
			numbers[n], forms[cut(n)] = true, true
		}
		if len(forms) < len(numbers) {
			break
		}
		short = cut
	}
	return longNumber.ReplaceAllStringFunc(text, short)
}

// sentence returns a text with a full stop, unless it ends with one or with another such mark.
func sentence(text string) string {
	if last, _ := utf8.DecodeLastRuneInString(text); strings.ContainsRune(".!?…", last) {
		return text
	}
	return text + "."
}

// grouped groups the whole part of a decimal number by three digits.
func grouped(n string) string {
	whole, rest, _ := strings.Cut(n, ".")
	return strings.TrimSuffix(ledger.Grouped(whole)+"."+rest, ".")
}

// explorer returns the link to an address or a block in a chain's explorer, or "" if the chain has
// none. kind is "address" or "block".
func (s *Site) explorer(chain, kind, name string) string {
	base := strings.TrimSuffix(s.Explorers[chain], "/")
	if u, err := url.Parse(base); err != nil || (u.Scheme != "https" && u.Scheme != "http") || name == "" {
		return ""
	}
	return base + "/" + kind + "/" + name
}

// statusWords explains a status to people.
func statusWords(s supply.Status) string {
	return cmp.Or(map[supply.Status]string{
		supply.Fresh: "Up to date, and all checks passed.",
		supply.Stale: "The last good figure. A newer measurement is overdue.",
		supply.Held: "The last good figure. A newer one differs so much that it is held until it is confirmed or " +
			"released.",
		supply.Demo:      "Invented, for the demo.",
		supply.Withdrawn: "The last figure was wrong, and there is no new one yet.",
		supply.Past:      "An earlier figure, as it was published.",
	}[s], "There is no reliable figure right now.")
}

// brief shortens a name so that it fits on a tile of the gallery together with its number.
func brief(name string) string {
	if r := []rune(name); len(r) > 28 {
		return string(r[:27]) + "…"
	}
	return name
}

// whole writes an amount without its decimals, in groups of three.
func whole(a ledger.Amount) string {
	w, _, _ := strings.Cut(a.String(), ".")
	return ledger.Grouped(w)
}

// compact writes an amount short enough for an axis, such as 116.9M, and rounds it. The number of
// digits depends on step, the difference that readers should see.
func compact(a, step ledger.Amount) string {
	size, places := compactForm(a, step)
	half := ledger.Amount{Units: big.NewInt(5), Decimals: places + 1}
	if size > 0 {
		half = ledger.Amount{Units: new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(size-places-1)), nil)}
		half.Units.Mul(half.Units, big.NewInt(5))
	}
	a = a.Add(half)
	size, places = compactForm(a, step) // 999.9M may have become 1,000M
	digits, fraction, _ := strings.Cut(a.String(), ".")
	fraction = digits[len(digits)-size:] + fraction + strings.Repeat("0", places)
	out := ledger.Grouped(digits[:len(digits)-size])
	if places > 0 {
		out += "." + fraction[:places]
	}
	switch size {
	case 0:
		return out
	case 6, 9, 12:
		return out + map[int]string{6: "M", 9: "B", 12: "T"}[size]
	}
	return out + " × 10" + raised(size)
}

// compactForm returns how compact writes an amount: in units of ten to the power of size, with so
// many places after the point.
func compactForm(a, step ledger.Amount) (size, places int) {
	digits, _, _ := strings.Cut(a.String(), ".")
	wide, narrow, _ := strings.Cut(step.String(), ".")
	n := len(digits)
	switch {
	case n <= 6 && wide == "0":
		return 0, len(narrow) - len(strings.TrimLeft(narrow, "0")) + 2
	case n <= 6:
		return 0, max(2-len(wide), 0)
	case n <= 15:
		size = 3 * ((n - 1) / 3)
	default:
		size = n - 1
	}
	return size, min(max(size-len(wide)+2, 3-(n-size), 0), 3) // at least three digits, such as 79.5M
}

// raised writes a number in superscript digits.
func raised(n int) string {
	return strings.Map(func(c rune) rune { return []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[c-'0'] }, strconv.Itoa(n))
}

// change writes the change of a figure in percent, to the nearest hundredth.
func change(from, to ledger.Amount) string {
	d := to.Sub(from)
	sign := "+"
	if d.Sign() < 0 {
		d, sign = from.Sub(to), "−"
	}
	n := portion(d, from, 100_000)
	switch n = n/10 + n%10/5; { // rounded
	case d.Sign() == 0:
		return "unchanged"
	case from.Sign() == 0:
		return "from zero"
	case n == 0:
		return sign + "<0.01%"
	case n >= 100_000:
		return sign + ledger.Grouped(fmt.Sprint(n/100)) + "%"
	default:
		return fmt.Sprintf("%s%d.%02d%%", sign, n/100, n%100)
	}
}

// percent writes the quotient a/whole in percent, to the nearest tenth.
func percent(a, whole ledger.Amount) string {
	n := portion(a, whole, 10_000)
	return tenths(n/10+n%10/5, a.Sign() > 0) + "%"
}

// tenths writes n tenths of a percent. The argument some says that the amount is not zero, even if
// n is 0 after rounding.
func tenths(n int64, some bool) string {
	if n == 0 && some {
		return "<0.1"
	}
	return decimal(n, 1)
}

// decimal writes n with this many digits after the point.
func decimal(n int64, places int) string {
	text := fmt.Sprintf("%0*d", places+1, n)
	return text[:len(text)-places] + "." + text[len(text)-places:]
}

// chainName returns the name of a chain on pages: the name of its realm, if it has exactly one
// realm, and otherwise its key.
func (s *Site) chainName(key string) string {
	var names []string
	for _, r := range s.Realms {
		if r.Chain == key {
			names = append(names, r.Name)
		}
	}
	if len(names) == 1 {
		return cmp.Or(names[0], key)
	}
	return key
}

// chainID returns the number of a chain, or 0 if it is not known.
func (s *Site) chainID(key string) uint64 {
	for _, c := range s.recentStatus().Chains {
		if c.Name == key {
			return c.ID
		}
	}
	return 0
}

// stateID identifies a state of a token. Pages have the id of the state that they show, and the
// stream has the id of the current state.
func stateID(st supply.State) string {
	id := string(st.Status)
	if st.Snapshot != nil {
		id += " " + st.Snapshot.ID
	}
	if st.Hold != nil {
		id += " " + st.Hold.Candidate.ID + " " + strconv.Itoa(st.Hold.Confirmations)
	}
	if st.Rejected != nil {
		id += " " + st.Rejected.Reason
	}
	return id
}

// A signed is an amount with its sign.
type signed struct{ ledger.Amount }

// Sign returns the sign to write before the digits.
func (s signed) Sign() string {
	switch s.Amount.Sign() {
	case 1:
		return "+"
	case -1:
		return "−"
	}
	return "±"
}

// HTML returns the amount as pages show it.
func (s signed) HTML() template.HTML {
	return `<span class="signed">` + template.HTML(s.Sign()) + figure(new(s.size())) + "</span>"
}

func (s signed) size() ledger.Amount {
	if s.Amount.Sign() < 0 {
		return ledger.Zero(0).Sub(s.Amount)
	}
	return s.Amount
}
