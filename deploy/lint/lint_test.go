package lint

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	appsv1 "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	strict "sigs.k8s.io/yaml"
)

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestDockerfile(t *testing.T) {
	out, err := parser.Parse(bytes.NewReader(read(t, "../../Dockerfile")))
	if err != nil {
		t.Fatal(err)
	}
	rules := linter.New(&linter.Config{ReturnAsError: true,
		Warn: func(rule, description, url, message string, _ []parser.Range) {
			t.Errorf("%s: %s", rule, message)
		}})
	stages, _, err := instructions.Parse(out.AST, rules)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range out.Warnings {
		t.Errorf("%s", w.Short)
	}
	last := stages[len(stages)-1]
	if !strings.Contains(last.BaseName, "distroless") || !strings.HasSuffix(last.BaseName, ":nonroot") {
		t.Errorf("the image is built on %s", last.BaseName)
	}
	var user, entry string
	for _, c := range last.Commands {
		switch c := c.(type) {
		case *instructions.UserCommand:
			user = c.User
		case *instructions.EntrypointCommand:
			entry = strings.Join(c.CmdLine, " ")
		case *instructions.RunCommand:
			t.Error("a distroless image has no shell to RUN with")
		case *instructions.AddCommand:
			t.Error("ADD fetches and unpacks; COPY says what it does")
		}
	}
	if user != "65532:65532" || entry != "/petsupply" {
		t.Errorf("it runs %q as %q", entry, user)
	}
}

func TestCompose(t *testing.T) {
	dir := t.TempDir()
	env := dir + "/.env"
	if err := os.WriteFile(env, []byte("POSTGRES_PASSWORD=x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(read(t, "../../compose.yaml")), "[.env]", "["+env+"]")
	file := dir + "/compose.yaml"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	options, err := cli.NewProjectOptions([]string{file}, cli.WithEnv([]string{"POSTGRES_PASSWORD=x"}),
		cli.WithInterpolation(true))
	if err != nil {
		t.Fatal(err)
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"one", "two"} {
		s, err := project.GetService(name)
		if err != nil {
			t.Fatal(err)
		}
		if !s.ReadOnly || !slices.Contains(s.CapDrop, "ALL") || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") ||
			s.MemLimit == 0 {
			t.Errorf("service %s is not locked down: %+v", name, s)
		}
	}
}

func TestKubernetes(t *testing.T) {
	decoder := yaml.NewDocumentDecoder(io.NopCloser(bytes.NewReader(read(t, "../kubernetes/petsupply.yaml"))))
	seen := map[string]bool{}
	buffer := make([]byte, 1<<20)
	for {
		n, err := decoder.Read(buffer)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		kind := check(t, buffer[:n])
		seen[kind] = true
	}
	for _, kind := range []string{"StatefulSet", "Service", "PodDisruptionBudget", "HorizontalPodAutoscaler"} {
		if !seen[kind] {
			t.Errorf("there is no %s", kind)
		}
	}
}

// check decodes one document as the kind that it names. A field that Kubernetes does not know is an
// error.
func check(t *testing.T, text []byte) string {
	t.Helper()
	var head struct{ APIVersion, Kind string }
	if err := strict.Unmarshal(text, &head); err != nil {
		t.Fatal(err)
	}
	into := map[string]any{
		"apps/v1 StatefulSet": new(appsv1.StatefulSet), "v1 Service": new(corev1.Service),
		"policy/v1 PodDisruptionBudget":          new(policyv1.PodDisruptionBudget),
		"autoscaling/v2 HorizontalPodAutoscaler": new(autoscaling.HorizontalPodAutoscaler),
	}[head.APIVersion+" "+head.Kind]
	if into == nil {
		t.Fatalf("an unknown kind: %s %s", head.APIVersion, head.Kind)
	}
	if err := strict.UnmarshalStrict(text, into); err != nil {
		t.Errorf("%s: %v", head.Kind, err)
	}
	switch d := into.(type) {
	case *appsv1.StatefulSet:
		deployment(t, d)
	case *corev1.Service:
		if d.Spec.Selector["app"] != "petsupply" || len(d.Spec.Ports) != 1 || d.Spec.Ports[0].TargetPort.StrVal != "http" {
			t.Errorf("the service reaches %v %v: the ops listener must not be public", d.Spec.Selector, d.Spec.Ports)
		}
	case *autoscaling.HorizontalPodAutoscaler:
		if d.Spec.ScaleTargetRef.Name != "petsupply" || *d.Spec.MinReplicas < 2 {
			t.Errorf("it scales %v from %d", d.Spec.ScaleTargetRef, *d.Spec.MinReplicas)
		}
	}
	return head.Kind
}

func deployment(t *testing.T, d *appsv1.StatefulSet) {
	t.Helper()
	pod := d.Spec.Template
	for k, v := range d.Spec.Selector.MatchLabels {
		if pod.Labels[k] != v {
			t.Errorf("the selector wants %s=%s, the pods have %v", k, v, pod.Labels)
		}
	}
	c := pod.Spec.Containers[0]
	security := c.SecurityContext
	if !*security.ReadOnlyRootFilesystem || *security.AllowPrivilegeEscalation || !*pod.Spec.SecurityContext.RunAsNonRoot {
		t.Error("the container is not locked down")
	}
	ports := map[string]bool{}
	for _, p := range c.Ports {
		ports[p.Name] = true
	}
	for name, probe := range map[string]*corev1.Probe{"startup": c.StartupProbe, "readiness": c.ReadinessProbe,
		"liveness": c.LivenessProbe} {
		if probe == nil || probe.HTTPGet == nil || !ports[probe.HTTPGet.Port.StrVal] {
			t.Errorf("the %s probe asks no port of the container", name)
		}
	}
	if c.Resources.Limits.Memory().IsZero() {
		t.Error("there is no limit of memory, which the program adapts to")
	}
	volumes := map[string]bool{}
	for _, v := range pod.Spec.Volumes {
		volumes[v.Name] = true
	}
	for _, v := range d.Spec.VolumeClaimTemplates {
		volumes[v.Name] = true
	}
	for _, m := range c.VolumeMounts {
		if !volumes[m.Name] {
			t.Errorf("there is no volume %s", m.Name)
		}
	}
}

func TestAlerts(t *testing.T) {
	groups, faults := rulefmt.Parse(read(t, "../prometheus/alerts.yaml"), false, model.UTF8Validation)
	for _, err := range faults {
		t.Error(err)
	}
	if groups == nil || len(groups.Groups) != 1 || len(groups.Groups[0].Rules) < 10 {
		t.Fatalf("the alert file has %v, want one group with 10 rules", groups)
	}
	for _, r := range groups.Groups[0].Rules {
		if r.Labels["severity"] == "" || r.Annotations["summary"] == "" {
			t.Errorf("%s has no severity or no summary", r.Alert)
		}
	}
}

// TestSpecifications lints both OpenAPI documents as the demo serves them.
func TestSpecifications(t *testing.T) {
	program := t.TempDir() + "/petsupply"
	build := exec.Command("go", "build", "-o", program, "./cmd/petsupply")
	build.Dir = "../.."
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	serve := exec.Command(program, "serve", "--listen", "127.0.0.1:0", "--ops", "", "--data", t.TempDir())
	said, err := serve.StdoutPipe()
	if err == nil {
		err = serve.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer serve.Wait()
	defer serve.Process.Kill()
	var site string
	for lines := bufio.NewScanner(said); site == "" && lines.Scan(); {
		_, site, _ = strings.Cut(lines.Text(), "  site    ")
	}
	args := []string{"lint", "--fail-severity=warn", "-r", "spectral.yaml"}
	for _, name := range []string{"supply/openapi.yaml", "supply/openapi.json", "pets/openapi.yaml", "pets/openapi.json"} {
		args = append(args, site+name)
	}
	if said, err := exec.Command("node_modules/.bin/spectral", args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}
