/** A stack of resources that are disposed of in reverse order, each of them even if another fails. */

export class DisposeStack implements AsyncDisposable {
  #steps: Array<() => unknown> = [];

  use<Resource extends Disposable | AsyncDisposable>(resource: Resource): Resource {
    this.defer(() =>
      Symbol.asyncDispose in resource ? resource[Symbol.asyncDispose]() : (resource as Disposable)[Symbol.dispose](),
    );
    return resource;
  }

  defer(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** All of them, also after one has failed; then says so. */
  async [Symbol.asyncDispose](): Promise<void> {
    const failures: unknown[] = [];
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
