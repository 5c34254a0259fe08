package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/store/database"
)

// maxWords limits the number of different words in a field of type word.
const maxWords = 65_535

// putWords stores the words that places have in counted fields, and in fields with a column.
func (s *Store) putWords(ctx context.Context, tx *sql.Tx, places []pet.Place) error {
	form := s.pets()
	for i := range form.Fields {
		f := &form.Fields[i]
		if !f.Type.IsWord() || f.Column == 0 && !f.Counted {
			continue
		}
		words := map[uint64]string{}
		for j := range places {
			if text := form.Text(places[j].Value, f); text != "" {
				words[form.Uint(places[j].Value, f)] = text
			}
		}
		if err := s.putFieldWords(ctx, tx, f, words); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) putFieldWords(ctx context.Context, tx *sql.Tx, f *collection.Field, words map[uint64]string) error {
	numbers := slices.Collect(maps.Keys(words))
	err := database.InsertRows(ctx, s.db, tx, "pet_word", []string{"field", "number", "word"},
		"ON CONFLICT (field, number) DO NOTHING",
		numbers, func(args []any, n *uint64) []any { return append(args, f.Name, int64(*n), []byte(words[*n])) })
	if err != nil || len(words) == 0 {
		return err
	}
	more, err := first(ctx, tx, readColumn[int64],
		fmt.Sprintf(`SELECT number FROM pet_word WHERE field = $1 ORDER BY number LIMIT 1 OFFSET %d`, maxWords), f.Name)
	if more == nil {
		return err
	}
	return fmt.Errorf("the field %s has more than %d different words; "+
		"give it the type \"string\", and remove \"filter\" and \"counted\" from it", f.Name, maxWords)
}

// words returns the words of each field of type word that has a column, by the field's key. It
// leaves out fields with more than pet.MaxOffered words.
func (s *Store) words(ctx context.Context) (map[string][]string, error) {
	out := map[string][]string{}
	for _, f := range s.pets().columns {
		if !f.Type.IsWord() {
			continue
		}
		found, err := list(ctx, s.db, readColumn[[]byte],
			fmt.Sprintf(`SELECT word FROM pet_word WHERE field = $1 LIMIT %d`, pet.MaxOffered+1), f.Name)
		if err != nil {
			return nil, err
		}
		if len(found) > pet.MaxOffered {
			continue
		}
		for _, word := range found {
			out[f.Key] = append(out[f.Key], string(word))
		}
	}
	return out, nil
}
