/** A cell as drivers hand it over: numbers as strings, timestamps as `YYYY-MM-DDTHH:mm:ss.SSS`. */
export type Cell = string | number | boolean | null
