import { readFileSync } from 'node:fs';

const data = JSON.parse(readFileSync(process.env['BENCH_DATA'], 'utf8'));
const reviews = new Map();

export const products = first => data.products.slice(0, first).map(row => ({ ...row }));

export const collections = first =>
  data.collections.slice(0, first).map(row => ({ ...row, items: row.items.map(item => ({ ...item })) }));

export const places = first => data.places.slice(0, first).map(row => ({ ...row }));

export const curators = async numbers => numbers.map(number => ({ ...data.curators[number] }));

export const placesBy = async numbers => numbers.map(number => ({ ...data.places[number] }));

export function setReview({ productId, stars, text }) {
  const review = { id: `review_of_${productId}`, productId, stars, text };
  reviews.set(review.id, review);
  return review;
}
