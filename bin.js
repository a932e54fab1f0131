#!/usr/bin/env node
// Plain JavaScript without dependencies: an older Node has to be able to read it.
const wanted = [22, 19]
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

if (major > wanted[0] || (major === wanted[0] && minor >= wanted[1])) {
  await import("./main.ts")
} else {
  console.error(`Sallyport needs Node ${wanted.join(".")} or newer; this is Node ${process.versions.node}.`)
  process.exitCode = 1
}
