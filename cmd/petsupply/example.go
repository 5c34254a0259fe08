package main

import (
	"strings"

	"github.com/alecthomas/kong"
)

// calls has one call of each command. The calls work when they are copied, in the folder of
// petsupply.yaml or with the demo. The help of a command ends with its example.
var calls = map[string]string{
	"serve":         "petsupply serve --demo",
	"init":          "petsupply init --rpc http://localhost:8545 --token 0x5FbDB2315678afecb367f032d93F642f64180aa3",
	"config check":  "petsupply config check --online",
	"config schema": "petsupply config schema > petsupply.schema.json",
	"check":         "petsupply check http://localhost:8080",
	"health":        "petsupply health",
	"measure":       "petsupply measure jewel",
	"release":       `petsupply release jewel --reason "The bridge moved its tokens"`,
	"correct":       `petsupply correct "$(curl -s http://localhost:8080/supply/jewel | jq -r .snapshot)" --reason "Counted twice"`,
	"verify":        "petsupply verify http://localhost:8080/supply/jewel/evidence",
	"audit":         "petsupply audit http://localhost:8080/supply",
	"import":        "petsupply import traits.csv",
	"reindex":       "petsupply reindex",
	"store copy":    "petsupply store copy sqlite://petsupply.db sqlite://copy.db",
	"freeze":        "petsupply freeze --out copy",
	"pack new":      "petsupply pack new art",
	"pack lint":     "petsupply pack lint art",
	"pack sheet":    "petsupply pack sheet art",
	"webhook test":  "petsupply webhook test http://localhost:9000/hook",
	"version":       "petsupply version",
}

// addExamples adds its example to the help of each command below a node.
func addExamples(n *kong.Node) {
	for _, child := range n.Children {
		addExamples(child)
	}
	if text := calls[strings.TrimPrefix(n.FullPath(), "petsupply ")]; text != "" {
		n.Detail = strings.TrimSpace(n.Detail + "\n\nExample:\n\n    " + text)
	}
}
