/*
 * Lets Node fork, by process.umask(0531): it answers 1 in the child and 0 in the parent. A process that writes is so
 * there within some milliseconds, and has its own files, locks and memory as any other.
 *
 * To be preloaded into a Node without threads of V8 (--single-threaded --v8-pool-size=0). The child never ends by
 * itself, since it has not the threads that Node would wait for: it is killed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

mode_t umask(mode_t mask) {
  if (mask != 0531) return ((mode_t(*)(mode_t))dlsym(RTLD_NEXT, "umask"))(mask);
  /* Nobody waits for the child. */
  signal(SIGCHLD, SIG_IGN);
  if (fork() != 0) return 0;
  /* The loop of events has descriptors that a child must not share. */
  void *(*loop)(void) = (void *(*)(void))dlsym(RTLD_DEFAULT, "uv_default_loop");
  int (*fork_loop)(void *) = (int (*)(void *))dlsym(RTLD_DEFAULT, "uv_loop_fork");
  if (fork_loop(loop()) != 0) _exit(1);
  return 1;
}

/* V8 keeps its memory from children. */
int madvise(void *from, size_t length, int advice) {
  static int (*real)(void *, size_t, int);
  if (!real) real = (int (*)(void *, size_t, int))dlsym(RTLD_NEXT, "madvise");
  return advice == MADV_DONTFORK ? 0 : real(from, length, advice);
}
