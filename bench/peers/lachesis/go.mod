module lachesis

go 1.20

require github.com/Fantom-foundation/lachesis-base v0.0.0-20240116072301-a75735c4ef00

require (
	github.com/emirpasic/gods v1.12.0 // indirect
	github.com/ethereum/go-ethereum v1.9.22 // indirect
	github.com/pkg/errors v0.9.1 // indirect
	github.com/status-im/keycard-go v0.0.0-20190424133014-d95853db0f48 // indirect
	golang.org/x/crypto v0.7.0 // indirect
	golang.org/x/sys v0.6.0 // indirect
)
