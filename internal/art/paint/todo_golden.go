package main

func golden() []creature { return nil }
