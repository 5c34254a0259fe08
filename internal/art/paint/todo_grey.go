package main

func grey() []creature { return nil }
