package art

// Embedded returns the default pack, which is part of the program.
func Embedded() (*Pack, error) {
	return nil, ErrPack
}
