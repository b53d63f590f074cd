import { REPO } from '../deploy/support/programs.js';
import { faultsOf } from './support/calls.js';

jest.setTimeout(300_000);

const faults = ([program = '', ...args]: string[], input = '') => faultsOf({ program, args, input }, REPO);

/** Checks the checks: otherwise the pages could contain wrong calls of programs that are not available here. */
describe('a call of a program that is not installed', () => {
  it.each([
    'docker compose exec gatweay node',
    'docker compose --profile recorders up --detach',
    'docker compose restart gateway',
    'docker build --file deploy/Dockerfile --build-arg APP=room .',
    'docker build --file deploy/docker/Dockerfile --build-arg APP=rooms .',
    'kubectl -n school rollout restart deploy/vc-virtual-classroom-room',
    'kubectl -n school get pods -l app.kubernetes.io/component=rooms',
    'kubectl -n school create configmap x --from-file=deploy/dashboard',
    'kubectl -n school create secret generic virtual-classroom-s3 --from-literal=access-key-id=x',
    'kubectl -n school create secret generic virtual-classroom-livekit --from-literal=api-key=x --from-literal=api-secret=x --from-literal=region=x',
    'kubectl -n school create secret generic virtual-classroom-s4 --from-literal=access-key-id=x',
    'helm upgrade --install vc deploy/helm/virtual-classroom --namespace school --values nowhere.yaml',
    'helm upgrade --install vc deploy/helm/virtual-classroom --namespace school --set gateway.replica=2',
    'helm install vc deploy/helm/virtual-classroom',
    'sudo systemctl restart virtual-classroom',
    'pg_dump --format=costum --file=classroom.dump',
    'npm install @virtual-classroom/embed',
    'npm install http://127.0.0.1:8080/packages/virtual-classroom-sdks-0.2.0.tgz',
    'pip install virtual-classroom',
  ])('is refused: %s', async (command) => {
    expect(await faults(command.split(' '))).not.toEqual([]);
  });

  it.each([
    'docker compose exec gateway node',
    'docker compose --profile recorder up --detach',
    'kubectl -n school rollout restart deploy/vc-virtual-classroom-room-service',
    'kubectl -n school create secret generic virtual-classroom-livekit --from-literal=api-key=x --from-literal=api-secret=x',
    'helm upgrade --install vc deploy/helm/virtual-classroom --namespace school --values deploy/helm/virtual-classroom/examples/small.yaml --wait --timeout 30m',
    'sudo systemctl enable --now classroom',
    'pip install http://127.0.0.1:8080/packages/virtual_classroom-0.2.0-py3-none-any.whl',
  ])('is accepted: %s', async (command) => {
    expect(await faults(command.split(' '))).toEqual([]);
  });

  it('is refused if its input has fewer rules than there are', async () => {
    expect(await faults(['kubectl', 'apply', '-f', '-'], 'kind: PrometheusRule\nspec: {groups: [{name: x}]}\n')).not.toEqual([]);
  });
});
