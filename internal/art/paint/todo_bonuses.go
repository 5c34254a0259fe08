package main

func bonuses() map[string]map[int]string { return nil }
