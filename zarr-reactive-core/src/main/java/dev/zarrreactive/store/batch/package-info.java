/** Operations of the specification on several values, for any store. */
@NullMarked
package dev.zarrreactive.store.batch;

import org.jspecify.annotations.NullMarked;
