/** Windows of one browser share their streams: with HTTP/1.1, a browser opens six connections per server. */
import type { Request } from '@playwright/test';
import { expect, test } from './fixtures';
import { expectNotice, signIn } from './people';

const tour = '/w/acme/tours/first-order';
const other = '/w/acme/tours/after-the-order';

test('four windows on tours share the streams of what they have in common', async ({ page, browser, baseURL }) => {
  test.slow();
  const open = new Set<Request>();
  const streams = () => [...open].map(request => /"operationName":"(\w+)"/.exec(request.postData() ?? '')?.[1]).sort();
  const browserOf = page.context();
  browserOf.on('request', request => {
    if (/"operationName":"\w+Changed"/.test(request.postData() ?? '')) open.add(request);
  });
  browserOf.on('requestfinished', request => open.delete(request));
  browserOf.on('requestfailed', request => open.delete(request));

  await signIn(page, 'publisher', tour);
  const windows = [page];
  for (const path of [tour, other, other]) {
    const next = await browserOf.newPage();
    await next.goto(path);
    await expect(next.getByRole('heading', { level: 1 })).toBeVisible();
    windows.push(next);
  }
  await expect.poll(streams).toEqual(['ReviewsChanged', 'TourChanged', 'TourChanged']);

  const author = await (await browser.newContext(baseURL === undefined ? {} : { baseURL })).newPage();
  await signIn(author, 'author', tour);
  const title = author.getByRole('region', { name: 'Step 1', exact: true }).getByLabel('Title');
  await title.fill('Changed for all windows');
  for (const each of windows.slice(0, 2))
    await expect(each.getByRole('region', { name: 'Step 1', exact: true }).getByLabel('Title')).toHaveValue(
      'Changed for all windows',
    );

  // The first window has the streams; the others continue without it.
  await page.close();
  await expect.poll(streams).toEqual(['ReviewsChanged', 'TourChanged', 'TourChanged']);
  await author
    .getByRole('navigation', { name: 'Tour' })
    .getByRole('link', { name: /^Review/ })
    .click();
  await author.getByRole('button', { name: 'Request review' }).click();
  await author.getByRole('dialog').getByRole('button', { name: 'Request review' }).click();
  for (const each of windows.slice(1))
    await expectNotice(each, 'Otto Author requested a review of “Your first order”.');
  await author.context().close();
});
