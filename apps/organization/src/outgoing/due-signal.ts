import { Injectable } from '@nestjs/common';

/**
 * Signals within this process that a delivery is due. This is only a hint: the loop that receives it looks every second without
 * it, too.
 */
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
