// Command clients uses the Go clients that oapi-codegen makes from a service's specifications. It
// calls every operation.
package main

import (
	"context"
	"fmt"
	"log"
	"math/big"
	"net/http"
	"os"
	"reflect"
	"strings"

	"clients/pets"
	"clients/supply"
)

func main() {
	log.SetFlags(0)
	ctx := context.Background()
	s, err := supply.NewClientWithResponses(os.Args[1])
	must(err)
	p, err := pets.NewClientWithResponses(os.Args[2])
	must(err)

	all, err := s.AllTokensWithResponse(ctx, nil)
	must(err)
	if all.JSON200 == nil || len(*all.JSON200) == 0 {
		log.Fatalf("all tokens: %s %s", all.Status(), all.Body)
	}
	for _, t := range *all.JSON200 {
		exact(*t.TotalSupply)
		one, err := s.OneTokenWithResponse(ctx, strings.ToLower(t.Symbol), nil)
		must(err)
		if one.JSON200 == nil || *one.JSON200.TotalSupply != *t.TotalSupply {
			log.Fatalf("%s: %s %s", t.Symbol, one.Status(), one.Body)
		}
	}
	asJSON := supply.CirculatingSupplyParamsFormatJson
	figure, err := s.CirculatingSupplyWithResponse(ctx, "jewel", &supply.CirculatingSupplyParams{Format: &asJSON})
	must(err)
	exact(figure.JSON200.Result)
	bare, err := s.CirculatingSupplyWithResponse(ctx, "jewel", nil)
	must(err)
	exact(string(bare.Body))
	evidence, err := s.EvidenceWithResponse(ctx, "jewel", nil)
	must(err)
	exact(evidence.JSON200.Figures.TotalSupply)
	unknown, err := s.OneTokenWithResponse(ctx, "nothing", nil)
	must(err)
	if unknown.ApplicationproblemJSON404 == nil || len(*unknown.ApplicationproblemJSON404.Tokens) == 0 {
		log.Fatalf("an unknown token: want a 404 that lists the tokens, got %s %s", unknown.Status(), unknown.Body)
	}

	ids := "1,2,999999999999"
	batch, err := p.TokensWithResponse(ctx, &pets.TokensParams{Ids: &ids})
	must(err)
	if len(batch.JSON200.Tokens) != 2 || len(batch.JSON200.Missing) != 1 {
		log.Fatalf("a batch: %s", batch.Body)
	}
	listing, err := p.TokensWithResponse(ctx, nil)
	must(err)
	if listing.JSON200.Next == nil {
		log.Fatalf("a listing: %s", listing.Body)
	}
	one, err := p.MetadataWithResponse(ctx, 1, nil)
	must(err)
	if one.JSON200.Name == "" || len(one.JSON200.Attributes) == 0 {
		log.Fatalf("a pet: %s", one.Body)
	}
	framed := false
	picture, err := p.ImageWithResponse(ctx, 1, &pets.ImageParams{Frame: &framed})
	must(err)
	if http.DetectContentType(picture.Body) != "image/png" {
		log.Fatalf("a picture: %s", picture.Status())
	}
	fmt.Println(everything(s)+everything(p), "operations")
}

// everything calls each operation of a client and counts them. If the specification does not
// describe an answer, decoding it fails.
func everything(client any) (n int) {
	v := reflect.ValueOf(client)
	for i := range v.NumMethod() {
		m := v.Type().Method(i)
		if !strings.HasSuffix(m.Name, "WithResponse") {
			continue
		}
		args := []reflect.Value{reflect.ValueOf(context.Background())}
		for k := 2; k < m.Type.NumIn()-1; k++ {
			args = append(args, example(m.Type.In(k)))
		}
		out := v.Method(i).Call(args)
		if err, _ := out[1].Interface().(error); err != nil {
			log.Fatalf("%s: %v", m.Name, err)
		}
		if code := out[0].MethodByName("StatusCode").Call(nil)[0].Int(); code >= 500 {
			log.Fatalf("%s: %d", m.Name, code)
		}
		n++
	}
	return n
}

func example(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.String:
		v.SetString("jewel")
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	}
	return v
}

// exact ends the program unless s is a number without an exponent, which would hide digits.
func exact(s string) {
	if _, ok := new(big.Rat).SetString(s); !ok || strings.ContainsAny(s, "eE") {
		log.Fatalf("%q is not an amount", s)
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
