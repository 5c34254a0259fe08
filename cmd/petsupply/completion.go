package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish,powershell" help:"The shell: bash, zsh, fish or powershell."`
}

func (c *completionCmd) Help() string {
	return `Load the script when the shell starts:

  bash        source <(petsupply completion bash)            in ~/.bashrc
  zsh         source <(petsupply completion zsh)             in ~/.zshrc, after compinit
  fish        petsupply completion fish | source             in ~/.config/fish/config.fish
  PowerShell  petsupply completion powershell | Out-String | Invoke-Expression   in $PROFILE`
}

// completionScripts call the hidden command "complete" with the words up to the cursor. If the
// command prints nothing, the shell completes file names.
var completionScripts = map[string]string{
	"bash": `_petsupply() {
    COMPREPLY=($(petsupply complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _petsupply petsupply
`,
	"fish": `function __petsupply
    set -l words (commandline -opc) (commandline -ct)
    petsupply complete -- $words[2..] 2>/dev/null
    or __fish_complete_path (commandline -ct)
end
complete -c petsupply -f -a '(__petsupply)'
`,
	"powershell": `Register-ArgumentCompleter -Native -CommandName petsupply -ScriptBlock {
    param($word, $ast, $cursor)
    $words = @($ast.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { "$_" })
    if (-not "$word") { $word = '=' } # some versions drop empty arguments
    petsupply complete -- @words "$word" 2>$null
}
`,
}

func (c *completionCmd) Run(p *program) error {
	script := completionScripts[c.Shell]
	if c.Shell == "zsh" {
		script = "autoload -U +X bashcompinit && bashcompinit\n" + completionScripts["bash"]
	}
	_, err := fmt.Fprint(p.stdout, script)
	return err
}

// completeCmd prints the completions of the last word, for the scripts of shells. The exit code is
// 1 if there are none.
type completeCmd struct {
	Words []string `arg:"" optional:""`
}

func (c *completeCmd) Run(k *kong.Context, p *program) error {
	found := completions(k.Model.Node, c.Words)
	for _, word := range found {
		fmt.Fprintln(p.stdout, word)
	}
	if len(found) == 0 {
		return errReported
	}
	return nil
}

// completions returns the commands, flags and values of enums that complete the last word.
func completions(node *kong.Node, words []string) []string {
	last, before, equals := "", "", false
	for _, word := range words {
		if equals {
			last, equals = word, false
			continue
		}
		if word == "=" { // bash splits --flag=value into three words
			word, equals = "", true
		}
		for _, child := range node.Children {
			if child.Name == last {
				node = child
				break
			}
		}
		last, before = word, last
	}
	var flags, found []string
	for _, group := range node.AllFlags(true) {
		for _, f := range group {
			names := []string{"--" + f.Name}
			if f.Short != 0 {
				names = append(names, "-"+string(f.Short))
			}
			if slices.Contains(names, before) && !f.IsBool() {
				return startingWith(last, enumWords(f.Value))
			}
			if f.Tag.Negatable != "" {
				names = append(names, "--no-"+f.Name)
			}
			flags = append(flags, names...)
		}
	}
	for _, child := range node.Children {
		if !child.Hidden {
			found = append(found, child.Name)
		}
	}
	for _, argument := range node.Positional {
		found = append(found, enumWords(argument)...)
	}
	if strings.HasPrefix(last, "-") || node.Leaf() && len(node.Positional) == 0 {
		found = flags
	}
	return startingWith(last, found)
}

// enumWords returns the values that a flag or argument accepts, and none if it accepts any value.
func enumWords(v *kong.Value) []string {
	return strings.FieldsFunc(v.Enum, func(r rune) bool { return r == ',' })
}

func startingWith(start string, words []string) []string {
	return slices.DeleteFunc(words, func(word string) bool { return !strings.HasPrefix(word, start) })
}
