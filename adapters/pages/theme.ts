interface Colour {
  readonly light: string
  readonly dark: string
}

/** The colours of the pages. A configuration can replace each of them. */
export const colours = {
  brand: { light: "#3451b2", dark: "#93a8ff" },
  on_brand: { light: "#ffffff", dark: "#10142b" },
  page: { light: "#f6f7f9", dark: "#111318" },
  surface: { light: "#ffffff", dark: "#1a1d24" },
  field: { light: "#ffffff", dark: "#14171d" },
  text: { light: "#171a21", dark: "#eceef4" },
  muted: { light: "#59606e", dark: "#a6adbb" },
  border: { light: "#7d8594", dark: "#737c8c" },
  focus: { light: "#3451b2", dark: "#93a8ff" },
  danger: { light: "#b3261e", dark: "#ffb4ab" },
  success: { light: "#17663a", dark: "#7fd8a4" },
} as const satisfies Readonly<Record<string, Colour>>
export type ColourName = keyof typeof colours

export interface Branding {
  /** The name of the service. */
  readonly name: string
  /** The file names of the logo among the assets; null without one. */
  readonly logo: string | null
  readonly logo_dark: string | null
  readonly favicon: string | null
  readonly links: { readonly terms?: string; readonly privacy?: string; readonly support?: string }
  readonly colors: Readonly<Partial<Record<ColourName, string | Colour>>>
  readonly radius: string
  readonly font: string
  /** Further style rules, after those of the pages. */
  readonly css: string | null
}

/** A colour of the configuration, or the default. */
export const coloursOf = (colors: Branding["colors"], name: ColourName): Colour => {
  const own = colors[name] ?? colours[name]
  return typeof own === "string" ? { light: own, dark: own } : own
}

/** The pairs of colours that a reader has to distinguish, with their minimum contrast (WCAG 2.2, 1.4.3 and 1.4.11). */
const pairs: ReadonlyArray<readonly [ColourName, ColourName, number]> = [
  ["text", "page", 4.5],
  ["text", "surface", 4.5],
  ["text", "field", 4.5],
  ["muted", "page", 4.5],
  ["muted", "surface", 4.5],
  ["brand", "surface", 4.5],
  ["brand", "page", 4.5],
  ["on_brand", "brand", 4.5],
  ["danger", "surface", 4.5],
  ["success", "surface", 4.5],
  ["border", "surface", 3],
  ["focus", "surface", 3],
  ["focus", "page", 3],
]

/** The pairs whose contrast is too low, as sentences; a start with one of them is refused. */
export const contrastFaults = (colors: Branding["colors"]): ReadonlyArray<string> =>
  pairs.flatMap(([one, other, least]) =>
    (["light", "dark"] as const).flatMap((side) => {
      const ratio = contrast(coloursOf(colors, one)[side], coloursOf(colors, other)[side])
      // Rounded down: 2.996 must not read as 3.00.
      const shown = (Math.floor(ratio * 100) / 100).toFixed(2)
      return ratio >= least ? [] : [`${one} on ${other} (${side}) has a contrast of ${shown}:1, and needs ${least}:1`]
    }),
  )

/** The contrast ratio of two colours (WCAG 2.2). */
const contrast = (one: string, other: string): number => {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

/** The relative luminance of a colour such as `#3451b2` (WCAG 2.2). */
const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The style sheet of the theme: the variables that all other style rules use. */
export const themeStyles = ({ colors, radius, font, css }: Branding): string => {
  const names = Object.keys(colours) as ReadonlyArray<ColourName>
  const variables = names.map((name) => {
    const { light, dark } = coloursOf(colors, name)
    return `--sp-${name.replace("_", "-")}:light-dark(${light},${dark});`
  })
  return `:root{${variables.join("")}--sp-radius:${radius};--sp-font:${font};}${css ?? ""}`
}
