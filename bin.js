#!/usr/bin/env node
// Plain JavaScript without dependencies: an older Node has to be able to read it.
const wanted = [22, 19]
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

if (major > wanted[0] || (major === wanted[0] && minor >= wanted[1])) {
  const [{ enableCompileCache }, { join }] = await Promise.all([import("node:module"), import("node:path")])
  // Compiled code is kept beside this file, for a quicker next start; a folder that cannot be written is no fault.
  enableCompileCache(join(import.meta.dirname, ".cache", "compiled"))
  await import("./main.ts")
} else {
  console.error(`Sallyport needs Node ${wanted.join(".")} or newer; this is Node ${process.versions.node}.`)
  process.exitCode = 1
}
