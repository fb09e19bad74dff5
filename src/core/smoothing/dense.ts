/** Dense algebra of small positive definite matrices, stored by rows in one array. */

/** Replaces the lower half of a positive definite matrix by that of its factor; the upper half stays as it is. */
export function factorise(matrix: Float64Array, size: number): void {
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * size + j]!;
      for (let k = 0; k < j; k++) sum -= matrix[i * size + k]! * matrix[j * size + k]!;
      matrix[i * size + j] = i === j ? Math.sqrt(sum) : sum / matrix[j * size + j]!;
    }
  }
}

/** Replaces a lower factor by its inverse. */
export function invertLower(factor: Float64Array, size: number): void {
  for (let i = 0; i < size; i++) {
    const row = factor.slice(i * size, i * size + i);
    const own = factor[i * size + i]!;
    const inverse = new Float64Array(i);
    for (let k = 0; k < i; k++) {
      const share = -row[k]! / own;
      for (let j = 0; j <= k; j++) inverse[j]! += share * factor[k * size + j]!;
    }
    factor.set(inverse, i * size);
    factor[i * size + i] = 1 / own;
  }
}

/** The products of every two rows. */
export function gram(matrix: Float64Array, size: number): Float64Array {
  const products = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let k = 0; k < size; k++) sum += matrix[i * size + k]! * matrix[j * size + k]!;
      products[i * size + j] = sum;
      products[j * size + i] = sum;
    }
  }
  return products;
}
