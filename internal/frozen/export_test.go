package frozen

// ErrNoCopy is errNoCopy, for the tests outside of the package.
var ErrNoCopy = errNoCopy
