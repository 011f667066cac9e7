// Renders the templates of a chart as `helm template` does: Go's templates with the functions of Sprig and Helm's own.
// Standard input: {"templates": {name: text}, "values": {"Values": …, "Chart": …, "Release": …}}; output: all manifests.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

func main() {
	var given struct {
		Templates map[string]string
		Values    map[string]interface{}
	}
	must(json.NewDecoder(os.Stdin).Decode(&given))
	all := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	// Helm has no functions that read the environment.
	delete(functions, "env")
	delete(functions, "expandenv")
	functions["include"] = func(name string, data interface{}) (string, error) {
		var out strings.Builder
		err := all.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return value, errors.New(message)
		}
		return value, nil
	}
	all.Funcs(functions)
	for name, text := range given.Templates {
		_, err := all.New(name).Parse(text)
		must(err)
	}
	for name := range given.Templates {
		var out bytes.Buffer
		must(all.ExecuteTemplate(&out, name, given.Values))
		if !strings.HasSuffix(name, ".tpl") {
			fmt.Printf("---\n%s\n", out.String())
		}
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
