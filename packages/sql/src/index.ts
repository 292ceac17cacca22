/** All that others may use of the SQL questions over a model. */
export {}
