(* Chapters 1, 6 and 7: attention does not see order, heads that look back, ALiBi. *)
Require Import Reals Lra Lia ZArith Arith List Permutation FunctionalExtensionality.
Require Import Kernel.Irrational Kernel.Encoding Kernel.Clock.
Open Scope R_scope.

(* Self-attention of n tokens of d entries; the matrices have m rows (the values' one has e), and the scores are
   divided by c, for which the usual choice is sqrt m. *)
Definition score (d m : nat) (c : R) (Wq Wk : matrix) (X : nat -> vector) (i j : nat) : R :=
  dot m (apply d Wq (X i)) (apply d Wk (X j)) / c.
Definition softmax (n : nat) (s : nat -> R) (j : nat) : R := exp (s j) / sum n (fun l => exp (s l)).
Definition attention (n d m : nat) (c : R) (Wq Wk Wv : matrix) (X : nat -> vector) (i : nat) : vector :=
  fun a => sum n (fun j => softmax n (score d m c Wq Wk X i) j * apply d Wv (X j) a).

(* thm-permutation: s says from which row of X each row of P X comes; a is an entry of the output *)
Theorem attention_is_permutation_equivariant
  (n d m : nat) (c : R) (Wq Wk Wv : matrix) (X : nat -> vector) (s : nat -> nat) (i a : nat) :
  Permutation (map s (seq 0 n)) (seq 0 n) ->
  attention n d m c Wq Wk Wv (fun j => X (s j)) i a = attention n d m c Wq Wk Wv X (s i) a.
Proof.
  intro P. unfold attention.
  set (term t := softmax n (score d m c Wq Wk X (s i)) t * apply d Wv (X t) a).
  transitivity (sum n (fun j => term (s j))).
  - apply sum_ext. intros j _. unfold term, softmax.
    rewrite <- (sum_permutation n s (fun l => exp (score d m c Wq Wk X (s i) l)) P). reflexivity.
  - exact (sum_permutation n s term P).
Qed.

(* ---- thm-look-back ---- *)
(* u^T (Wq^T Wk) v is the dot product of the query and the key *)
Lemma query_times_key m d Wq Wk M u v :
  (forall j l, (j < d)%nat -> (l < d)%nat -> sum m (fun a => Wq a j * Wk a l) = M j l) ->
  dot m (apply d Wq u) (apply d Wk v) = dot d u (apply d M v).
Proof.
  intro H. unfold dot, apply.
  transitivity (sum m (fun a => sum d (fun j => sum d (fun l => u j * (Wq a j * Wk a l) * v l)))).
  - apply sum_ext. intros a _. rewrite Rmult_comm, <- sum_scale. apply sum_ext. intros j _.
    rewrite (Rmult_comm _ (Wq a j * u j)), <- sum_scale. apply sum_ext. intros. ring.
  - rewrite sum_swap. apply sum_ext. intros j Hj. rewrite sum_swap, <- sum_scale.
    apply sum_ext. intros l Hl. rewrite <- (H j l Hj Hl).
    rewrite (Rmult_comm (sum m _)), <- !sum_scale. apply sum_ext. intros. ring.
Qed.
Lemma dot_ext d u v w : (forall j, (j < d)%nat -> v j = w j) -> dot d u v = dot d u w.
Proof. intro H. apply sum_ext. intros j Hj. now rewrite H. Qed.

(* the score of the encodings of p and q, before the division by sqrt d *)
Definition score_of_encodings (b : R) (h m : nat) (Wq Wk : matrix) (p q : R) : R :=
  dot m (apply (2 * h) Wq (PE b h p)) (apply (2 * h) Wk (PE b h q)).
(* the score is K (p - q - k), for all real p, q and k; and if these are whole, it is largest k back, and only there *)
Theorem the_score_peaks_k_back (b : R) (h m : nat) (Wq Wk : matrix) (k : R) :
  (forall j l, (j < 2 * h)%nat -> (l < 2 * h)%nat -> sum m (fun a => Wq a j * Wk a l) = T b h k j l) ->
  (forall p q, score_of_encodings b h m Wq Wk p q = K b h (p - q - k)) /\
  (forall n p q : Z, k = IZR n -> (0 < h)%nat -> q <> (p - n)%Z ->
    score_of_encodings b h m Wq Wk (IZR p) (IZR q) < score_of_encodings b h m Wq Wk (IZR p) (IZR (p - n))).
Proof.
  intro H. assert (E : forall p q, score_of_encodings b h m Wq Wk p q = K b h (p - q - k)).
  { intros p q. unfold score_of_encodings. rewrite (query_times_key _ _ _ _ _ _ _ H).
    rewrite (dot_ext _ _ _ (PE b h (q + k))), dot_of_encodings.
    - f_equal. ring.
    - intros j Hj. symmetry. now apply shift_is_block_diagonal. }
  split; [exact E|]. intros n p q -> Hh N. rewrite !E. replace (IZR p - IZR (p - n) - IZR n) with 0.
  - rewrite K_0, <- !minus_IZR. apply K_whole_lt; [exact Hh | lia].
  - rewrite minus_IZR. ring.
Qed.

(* ---- thm-scale ---- *)
(* E is the expectation over tokens t of whatever kind, and V says what has one. No more is asked than that sums and
   multiples of what has one have one, and that E is linear there. x t is the embedding of the token t. Its entries
   have mean square s^2, which is their variance if their mean is zero. *)
Definition linear {W : Type} (V : (W -> R) -> Prop) (E : (W -> R) -> R) : Prop :=
  (forall f g, V f -> V g -> V (fun t => f t + g t) /\ E (fun t => f t + g t) = E f + E g) /\
  (forall r f, V f -> V (fun t => r * f t) /\ E (fun t => r * f t) = r * E f).
Lemma linear_sum (W : Type) V (E : (W -> R) -> R) n (f : nat -> W -> R) : linear V E ->
  (forall j, (j < S n)%nat -> V (f j)) ->
  V (fun t => sum (S n) (fun j => f j t)) /\ E (fun t => sum (S n) (fun j => f j t)) = sum (S n) (fun j => E (f j)).
Proof.
  intros [A _] H. assert (X : forall m, (fun t => sum (S m) (fun j => f j t)) = (fun t => sum m (fun j => f j t) + f m t)).
  { intro m. apply functional_extensionality. intro t. apply sum_S. }
  induction n.
  - rewrite X, sum_S, sum_0, Rplus_0_l. replace (fun t => _) with (f 0%nat); [now split; [apply H; lia|]|].
    apply functional_extensionality. intro t. rewrite sum_0. ring.
  - destruct IHn as [V1 E1]; [intros; apply H; lia|]. rewrite X, sum_S, <- E1. apply A; [exact V1 | apply H; lia].
Qed.
Theorem a_token_beside_its_encoding
  (W : Type) (V : (W -> R) -> Prop) (E : (W -> R) -> R) (x : W -> vector) (h : nat) (b p s : R) :
  linear V E -> (0 < h)%nat -> 0 <= s ->
  (forall j, (j < 2 * h)%nat -> V (fun t => Rsqr (x t j)) /\ E (fun t => Rsqr (x t j)) = Rsqr s) ->
  sqrt (E (fun t => norm2 (2 * h) (fun j => sqrt (INR (2 * h)) * x t j)) / norm2 (2 * h) (PE b h p))
    = s * sqrt (2 * INR (2 * h)).
Proof.
  intros L Hh Hs H. assert (P : 0 < INR h) by (apply lt_0_INR; lia).
  assert (D : INR (2 * h) = 2 * INR h) by (rewrite mult_INR; simpl; ring).
  rewrite norm_of_an_encoding.
  replace (E (fun t => norm2 (2 * h) (fun j => sqrt (INR (2 * h)) * x t j)))
    with (INR (2 * h) * (INR (2 * h) * Rsqr s)).
  - rewrite D. replace (2 * INR h * (2 * INR h * Rsqr s) / INR h) with (Rsqr s * (2 * (2 * INR h))) by (field; lra).
    rewrite sqrt_mult; [now rewrite sqrt_Rsqr | apply Rle_0_sqr | lra].
  - symmetry. unfold norm2, dot.
    assert (X : forall j, (fun t => sqrt (INR (2 * h)) * x t j * (sqrt (INR (2 * h)) * x t j))
                          = (fun t => INR (2 * h) * Rsqr (x t j))).
    { intro j. apply functional_extensionality. intro t.
      transitivity (sqrt (INR (2 * h)) * sqrt (INR (2 * h)) * (x t j * x t j)); [ring|].
      rewrite sqrt_sqrt by (rewrite D; lra). reflexivity. }
    destruct (linear_sum W V E (2 * h - 1) (fun j t => sqrt (INR (2 * h)) * x t j * (sqrt (INR (2 * h)) * x t j)) L) as [_ M];
      replace (S (2 * h - 1)) with (2 * h)%nat in * by lia.
    { intros j Hj. rewrite X. apply (proj2 L), H, Hj. }
    rewrite M, (sum_ext _ _ (fun _ => INR (2 * h) * Rsqr s)), sum_const; [reflexivity|].
    intros j Hj. rewrite X, <- (proj2 (H j Hj)). apply (proj2 L), H, Hj.
Qed.
Corollary the_usual_scale (h : nat) : (0 < h)%nat -> 1 / sqrt (INR (2 * h)) * sqrt (2 * INR (2 * h)) = sqrt 2.
Proof.
  intro Hh. assert (P : 0 < INR (2 * h)) by (apply lt_0_INR; lia).
  rewrite sqrt_mult by lra. field. apply Rgt_not_eq, sqrt_lt_R0, P.
Qed.

(* ---- thm-linear-bias ---- *)
Theorem the_bias_does_not_change_when_both_move (mu p q s : R) : - mu * ((p + s) - (q + s)) = - mu * (p - q).
Proof. ring. Qed.
Lemma sum_exp_pos n f j : (j < n)%nat -> 0 < sum n (fun q => exp (f q)).
Proof.
  intro L. rewrite <- (Rmult_0_r (INR n)), <- sum_const.
  apply (sum_lt _ _ _ j L); intros; [apply Rlt_le|]; apply exp_pos.
Qed.
(* a softmax does not change when the same number is added to all scores *)
Lemma softmax_shift n s t r j : (j < n)%nat -> (forall q, s q = t q + r) -> softmax n s j = softmax n t j.
Proof.
  intros L E. unfold softmax.
  assert (F : forall q, exp (s q) = exp r * exp (t q)) by (intro q; rewrite E, exp_plus; ring).
  rewrite (sum_ext _ _ _ (fun q _ => F q)), sum_scale, F. field.
  split; apply Rgt_not_eq; [apply (sum_exp_pos n t j L) | apply exp_pos].
Qed.
(* s q is what else is in the score of the key q *)
Theorem it_cannot_be_told_from_a_rise_along_the_keys (n : nat) (mu p : R) (s : nat -> R) (j : nat) : (j < n)%nat ->
  softmax n (fun q => s q - mu * (p - INR q)) j = softmax n (fun q => s q + mu * INR q) j.
Proof. intro L. apply (softmax_shift _ _ _ (- mu * p) j L). intro q. ring. Qed.
(* n + r keys, counted by their distance, and all other scores equal to s: what is on those at the distance n or more *)
Theorem nearly_all_weight_is_near (mu s : R) (n r : nat) :
  sum r (fun j => softmax (n + r) (fun q => s - mu * INR q) (n + j)) <= exp (- mu * INR n).
Proof.
  destruct r; [rewrite sum_0; apply Rlt_le, exp_pos|]. set (k := S r).
  rewrite (sum_ext k _ (fun j => softmax (n + k) (fun q => - mu * INR q) (n + j))).
  2: { intros j Hj. apply (softmax_shift _ _ _ s); [lia | intro q; ring]. }
  set (a := sum (n + k) (fun q => exp (- mu * INR q))).
  assert (P : 0 < a) by (apply (sum_exp_pos _ _ 0%nat); unfold k; lia).
  rewrite (sum_ext k _ (fun j => exp (- mu * INR n) / a * exp (- mu * INR j))).
  2: { intros j _. unfold softmax. fold a. rewrite plus_INR, Rmult_plus_distr_l, exp_plus. field. lra. }
  rewrite sum_scale. assert (B : sum k (fun j => exp (- mu * INR j)) <= a).
  { unfold a. rewrite (Nat.add_comm n k), sum_shift.
    assert (0 <= sum n (fun j => exp (- mu * INR (k + j)))) by (apply sum_nonneg; intros; apply Rlt_le, exp_pos). lra. }
  replace (exp (- mu * INR n)) with (exp (- mu * INR n) / a * a) at 2 by (field; lra).
  apply Rmult_le_compat_l; [apply Rlt_le, Rdiv_lt_0_compat; [apply exp_pos | exact P] | exact B].
Qed.
