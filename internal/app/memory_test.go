package app

import (
	"testing"
	"testing/fstest"
)

func TestTheLeastMemoryOfACgroupAndItsAncestorsCounts(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"of a container": {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1000\n"}, 1000},
		"its own": {map[string]string{"proc/self/cgroup": "0::/system.slice/petsupply.service\n",
			"sys/fs/cgroup/system.slice/petsupply.service/memory.max": "500\n",
			"sys/fs/cgroup/system.slice/memory.max":                   "max\n"}, 500},
		"limit of an ancestor": {map[string]string{"proc/self/cgroup": "1:name=x:/y\n0::/a/b/c\n",
			"sys/fs/cgroup/a/b/c/memory.max": "900\n",
			"sys/fs/cgroup/a/memory.max":     "300\n", "sys/fs/cgroup/memory.max": "700\n"}, 300},
		"outside of our namespace": {map[string]string{"proc/self/cgroup": "0::/../../x\n",
			"sys/fs/cgroup/memory.max": "8\n"}, 8},
		"none": {map[string]string{"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/memory.max": "max\n"},
			0},
		"nonsense":   {map[string]string{"proc/self/cgroup": "nonsense", "sys/fs/cgroup/memory.max": "7\n"}, 0},
		"no cgroups": {nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			root := fstest.MapFS{}
			for file, text := range c.files {
				root[file] = &fstest.MapFile{Data: []byte(text)}
			}
			if got := cgroupMemory(root); got != c.want {
				t.Errorf("%d, not %d", got, c.want)
			}
		})
	}
	root := fstest.MapFS{"proc/meminfo": {Data: []byte("MemTotal:       24682124 kB\nMemFree: 1 kB\n")}}
	if got := machineMemory(root); got != 24682124<<10 {
		t.Errorf("the machine has %d bytes", got)
	}
}
