import { mulDiv } from '../../../assembly/lib/u128';
describe('mulDiv', () => {
  it('floors', () => {
    expect(mulDiv(7, 3, 2)).toBe(10);
  });
});
