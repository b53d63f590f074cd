import { obtainPythonPackages } from './python-packages.ts';

/** What the Python SDK needs, and the tools that build and check it. @throws as `obtainPythonPackages` */
export const obtainPythonSdkPackages = () =>
  obtainPythonPackages({ name: 'python-sdk', purpose: 'The Python SDK is tested', least: '3.11.0' });
