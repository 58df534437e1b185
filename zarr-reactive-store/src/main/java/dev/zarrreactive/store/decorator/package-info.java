/**
 * Opens stores by their URL, and adds behaviour to any store: each decorator of {@link
 * dev.zarrreactive.store.decorator.Stores} adds one, such as a limit, retries or a cache.
 */
@NullMarked
package dev.zarrreactive.store.decorator;

import org.jspecify.annotations.NullMarked;
