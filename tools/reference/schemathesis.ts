import { obtainPythonPackages } from './python-packages.ts';

/** Schemathesis and its dependencies. @throws as `obtainPythonPackages` */
export const obtainSchemathesis = () =>
  obtainPythonPackages({ name: 'schemathesis', purpose: 'The reference is tried by Schemathesis', least: '3.10.0' });
