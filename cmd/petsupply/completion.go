package main

import (
	"fmt"
	"io"
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

// Run prints a script that completes commands, flags and the values of enums. The
// shell completes everything else as the name of a file.
func (c *completionCmd) Run(k *kong.Context, p *program) error {
	rules := completionRules("", k.Model.Node)
	switch c.Shell {
	case "bash":
		printBash(p.stdout, rules)
	case "zsh":
		fmt.Fprintln(p.stdout, "autoload -U +X bashcompinit && bashcompinit")
		printBash(p.stdout, rules)
	case "fish":
		printFish(p.stdout, rules)
	case "powershell":
		printPowerShell(p.stdout, rules)
	}
	return nil
}

// A completionRule says which words can follow others. After is a command, such
// as "config check"; a command and a dash, for its flags; or a command and one of
// its flags that takes a value. Without words the name of a file follows.
type completionRule struct {
	after string
	words []string
}

// completionRules are the rules of a command and of those below it.
func completionRules(path string, node *kong.Node) []completionRule {
	command := completionRule{after: path}
	flags := completionRule{after: strings.TrimSpace(path + " -")}
	var values, below []completionRule
	for _, group := range node.AllFlags(true) {
		for _, f := range group {
			names := []string{"--" + f.Name}
			if f.Short != 0 {
				names = append(names, "-"+string(f.Short))
			}
			flags.words = append(flags.words, names...)
			switch {
			case f.IsBool() && f.Tag.Negatable != "":
				flags.words = append(flags.words, "--no-"+f.Name)
			case !f.IsBool():
				for _, name := range names {
					values = append(values, completionRule{after: strings.TrimSpace(path + " " + name), words: enumWords(f.Value)})
				}
			}
		}
	}
	for _, child := range node.Children {
		command.words = append(command.words, child.Name)
		below = append(below, completionRules(strings.TrimSpace(path+" "+child.Name), child)...)
	}
	for _, argument := range node.Positional {
		command.words = append(command.words, enumWords(argument)...)
	}
	if node.Leaf() && len(node.Positional) == 0 {
		command.words = flags.words
	}
	return append(append([]completionRule{command, flags}, values...), below...)
}

// enumWords are the values that a flag or argument can have, nil if it is free.
func enumWords(v *kong.Value) []string {
	return strings.FieldsFunc(v.Enum, func(r rune) bool { return r == ',' })
}

func printBash(out io.Writer, rules []completionRule) {
	io.WriteString(out, `_petsupply_words() {
    case "$1" in
`)
	for _, r := range rules {
		fmt.Fprintf(out, "    %q) echo %q ;;\n", r.after, strings.Join(r.words, " "))
	}
	io.WriteString(out, `    *) return 1 ;;
    esac
}
_petsupply() {
    local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]} command="" next i=1
    while [ "$i" -lt "$COMP_CWORD" ]; do
        next="${command:+$command }${COMP_WORDS[i]}"
        case "${COMP_WORDS[i]}" in
        -*) ;;
        *) _petsupply_words "$next" >/dev/null && command=$next ;;
        esac
        i=$((i+1))
    done
    # bash splits --flag=value at the equals sign
    if [ "$word" = "=" ]; then word=""; fi
    if [ "$last" = "=" ]; then last=${COMP_WORDS[COMP_CWORD-2]}; fi
    case "$last" in
    -*) next=$(_petsupply_words "${command:+$command }$last") || last="" ;;
    *) last="" ;;
    esac
    case "$last/$word" in
    /-*) next=$(_petsupply_words "${command:+$command }-") ;;
    /*) next=$(_petsupply_words "$command") ;;
    esac
    COMPREPLY=($(compgen -W "$next" -- "$word"))
}
complete -o default -F _petsupply petsupply
`)
}

func printFish(out io.Writer, rules []completionRule) {
	io.WriteString(out, `function __petsupply_words
    switch "$argv"
`)
	for _, r := range rules {
		fmt.Fprintf(out, "        case '%s'\n            string split -n ' ' -- '%s'\n            return 0\n",
			r.after, strings.Join(r.words, " "))
	}
	io.WriteString(out, `        case '*'
            return 1
    end
end
function __petsupply
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l command
    for next in $words[2..]
        if not string match -q -- '-*' $next; and __petsupply_words $command $next >/dev/null
            set -a command $next
        end
    end
    set -l found
    if string match -q -- '-*' $words[-1]; and set found (__petsupply_words $command $words[-1])
    else if string match -q -- '-*' $word
        set found (__petsupply_words $command -)
    else
        set found (__petsupply_words $command)
    end
    if test -n "$found"
        printf '%s\n' $found
    else
        __fish_complete_path $word
    end
end
complete -c petsupply -f -a '(__petsupply)'
`)
}

func printPowerShell(out io.Writer, rules []completionRule) {
	io.WriteString(out, `Register-ArgumentCompleter -Native -CommandName petsupply -ScriptBlock {
    param($word, $ast, $cursor)
    $rules = @{
`)
	for _, r := range rules {
		fmt.Fprintf(out, "        '%s' = '%s'\n", r.after, strings.Join(r.words, " "))
	}
	io.WriteString(out, `    }
    $before = $ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor }
    $words = @($before | ForEach-Object { "$_" })
    $command = ''
    foreach ($next in $words) {
        $longer = "$command $next".Trim()
        if (-not $next.StartsWith('-') -and $rules.ContainsKey($longer)) { $command = $longer }
    }
    $after = "$command $($words | Select-Object -Last 1)".Trim()
    if (-not $rules.ContainsKey($after)) { $after = $command }
    if ($after -eq $command -and "$word".StartsWith('-')) { $after = "$command -".Trim() }
    $rules[$after] -split ' ' | Where-Object { $_ -and $_ -like "$word*" }
}
`)
}
