import { Injectable } from '@nestjs/common';

/** Says within this process that something is due: a hint, for whoever looks for it every second anyway. */
@Injectable()
export class DueSignal {
  private listener: () => void = () => undefined;

  onWake(listener: () => void): void {
    this.listener = listener;
  }

  wake(): void {
    this.listener();
  }
}
