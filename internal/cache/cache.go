// Package cache keeps values in memory, up to a limit. It is the only package that imports the
// library that does the work.
package cache

import "github.com/maypok86/otter/v2"

// A Cache keeps values by key. When it is full, it drops values that were not used lately. It is
// safe for concurrent use.
type Cache[K comparable, V any] struct {
	entries entries[K, V]
}

// entries is an *otter.Cache. A field of that type would make Go compile the library's generic code
// again in every package that uses a Cache.
type entries[K comparable, V any] interface {
	GetIfPresent(key K) (V, bool)
	Set(key K, value V) (V, bool)
	Invalidate(key K) (V, bool)
	InvalidateAll()
}

// NewCounted returns an empty cache for at most max values.
func NewCounted[K comparable, V any](max int) *Cache[K, V] {
	return &Cache[K, V]{otter.Must(&otter.Options[K, V]{MaximumSize: max, Executor: run})}
}

// NewWeighed returns an empty cache. The weights of its values add up to at most max.
func NewWeighed[K comparable, V any](max int, weight func(key K, value V) int) *Cache[K, V] {
	return &Cache[K, V]{otter.Must(&otter.Options[K, V]{
		MaximumWeight: uint64(max),
		Weigher:       func(key K, value V) uint32 { return uint32(weight(key, value)) },
		Executor:      run,
	})}
}

// run drops values before Set returns. By default the library does this in a goroutine, and the
// cache exceeds its limit until then.
func run(task func()) { task() }

// Get returns the value with this key.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) { return c.entries.GetIfPresent(key) }

// Set keeps a value. It replaces the value that had this key.
func (c *Cache[K, V]) Set(key K, value V) { c.entries.Set(key, value) }

// Delete drops the value with this key.
func (c *Cache[K, V]) Delete(key K) { c.entries.Invalidate(key) }

// Clear drops all values.
func (c *Cache[K, V]) Clear() { c.entries.InvalidateAll() }
