/** A cell as drivers hand it over: numbers as strings, timestamps as `YYYY-MM-DDTHH:mm:ss.SSS`. */
export type Cell = string | number | boolean | null

export type ShapedData =
  | readonly Readonly<Record<string, Cell>>[]
  | { readonly members: readonly string[]; readonly dataset: readonly (readonly Cell[])[] }
  | { readonly members: readonly string[]; readonly columns: readonly (readonly Cell[])[] }
