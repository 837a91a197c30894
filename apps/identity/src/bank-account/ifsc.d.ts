/** Razorpay's IFSC list has no types of its own. `fetchDetails`, which calls their server, is left out on purpose. */
declare module 'ifsc' {
  const ifsc: { validate(code: string): boolean };
  export default ifsc;
}
