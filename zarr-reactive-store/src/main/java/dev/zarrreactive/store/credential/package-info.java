/**
 * Credentials of stores, and the sources that look them up: credentials that live for minutes are
 * renewed while a read goes on.
 */
@NullMarked
package dev.zarrreactive.store.credential;

import org.jspecify.annotations.NullMarked;
