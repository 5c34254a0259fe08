package cache

import "testing"

// kept returns how many of the keys 1 to n are in the cache, and their sum.
func kept(c *Cache[int, int], n int) (count, sum int) {
	for key := 1; key <= n; key++ {
		if value, ok := c.Get(key); ok {
			count++
			sum += value
		}
	}
	return count, sum
}

// Neither kind of cache exceeds its limit, and a value that is used again and again stays.
func TestStaysBounded(t *testing.T) {
	weight := func(_, value int) int { return value }
	for name, c := range map[string]*Cache[int, int]{
		"counted": NewCounted[int, int](50),
		"weighed": NewWeighed(500, weight),
	} {
		t.Run(name, func(t *testing.T) {
			c.Set(1, 10)
			for range 10 {
				c.Get(1)
			}
			for key := 2; key <= 2000; key++ {
				c.Set(key, 10)
				if _, ok := c.Get(1); !ok {
					t.Fatalf("the used value was dropped after %d others", key)
				}
			}
			if count, sum := kept(c, 2000); count < 25 || count > 50 || sum > 500 {
				t.Errorf("%d values with the sum %d", count, sum)
			}
		})
	}
}

func TestDrops(t *testing.T) {
	c := NewCounted[int, int](10)
	for key := 1; key <= 3; key++ {
		c.Set(key, key)
	}
	c.Set(2, 20)
	c.Delete(1)
	c.Delete(9)
	if count, sum := kept(c, 3); count != 2 || sum != 23 {
		t.Errorf("%d values with the sum %d, want 2 with 23", count, sum)
	}
	c.Clear()
	if count, _ := kept(c, 3); count != 0 {
		t.Errorf("%d values after Clear", count)
	}
}

func BenchmarkGet(b *testing.B) {
	c := NewCounted[uint64, *int](1000)
	for key := range uint64(1000) {
		c.Set(key, new(int))
	}
	b.ReportAllocs()
	for key := uint64(0); b.Loop(); key++ {
		c.Get(key % 1000)
	}
}
