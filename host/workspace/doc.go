// Package workspace is the tools of a host: what an agent may do to one folder.
//
// All file access goes through os.Root, so neither `..` nor a symbolic link
// leads out of the folder. Commands are not confined: a shell can do what the
// host's user can, which is why their tool is declared as what it is and left
// to the gateway's rules. Everything that a tool gives back or takes has a
// limit.
package workspace
