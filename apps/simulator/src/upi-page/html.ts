export { html, Html, nothing } from '@fundrail/service-kit/http';
