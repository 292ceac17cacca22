// As little as a compiled program can do.
console.log('bare')
