package frozen

// ErrNoCopy is errNoCopy, for tests outside the package.
var ErrNoCopy = errNoCopy
