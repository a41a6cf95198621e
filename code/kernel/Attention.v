(* Chapters 1, 6 and 7: attention does not see order, heads that look back, ALiBi. *)
Require Import Reals Lra Lia ZArith Arith List Permutation.
Require Import Kernel.Irrational Kernel.Encoding Kernel.Clock.
Open Scope R_scope.

(* Self-attention of n tokens of d entries; the matrices have m rows (the values' one has e), and the scores are
   divided by c, for which the usual choice is sqrt m. *)
Section Attention.
Variables (n d m : nat) (c : R) (Wq Wk Wv : matrix).
Definition score (X : nat -> vector) (i j : nat) : R := dot m (apply d Wq (X i)) (apply d Wk (X j)) / c.
Definition softmax (s : nat -> R) (j : nat) : R := exp (s j) / sum n (fun l => exp (s l)).
Definition attention (X : nat -> vector) (i : nat) : vector :=
  fun a => sum n (fun j => softmax (score X i) j * apply d Wv (X j) a).

(* Theorem 1.1: s says from which row of X each row of P X comes *)
Theorem attention_is_permutation_equivariant X s i a :
  Permutation (map s (seq 0 n)) (seq 0 n) ->
  attention (fun j => X (s j)) i a = attention X (s i) a.
Proof.
  intro P. unfold attention.
  set (term t := softmax (score X (s i)) t * apply d Wv (X t) a).
  transitivity (sum n (fun j => term (s j))).
  - apply sum_ext. intros j _. unfold term, softmax.
    rewrite <- (sum_permutation n s (fun l => exp (score X (s i) l)) P). reflexivity.
  - exact (sum_permutation n s term P).
Qed.
End Attention.

(* ---- Theorem 6.2 ---- *)
Lemma sum_swap n m f : sum n (fun i => sum m (fun j => f i j)) = sum m (fun j => sum n (fun i => f i j)).
Proof.
  induction n; [rewrite sum_0; symmetry; rewrite (sum_ext _ _ (fun _ => 0)), sum_const; [ring | reflexivity]|].
  rewrite sum_S, IHn, <- sum_plus. apply sum_ext. intros. now rewrite sum_S.
Qed.
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

(* k may be any real number here *)
Theorem the_score_of_two_encodings b h m Wq Wk k p q :
  (forall j l, (j < 2 * h)%nat -> (l < 2 * h)%nat -> sum m (fun a => Wq a j * Wk a l) = T b h k j l) ->
  dot m (apply (2 * h) Wq (PE b h p)) (apply (2 * h) Wk (PE b h q)) = K b h (p - q - k).
Proof.
  intro H. rewrite (query_times_key _ _ _ _ _ _ _ H).
  rewrite (dot_ext _ _ _ (PE b h (q + k))), dot_of_encodings.
  - f_equal. ring.
  - intros j Hj. symmetry. now apply shift_is_block_diagonal.
Qed.
Theorem it_peaks_k_back_and_only_there b h (k p q : Z) : (0 < h)%nat ->
  K b h (IZR p - IZR q - IZR k) <= K b h 0 /\ (q <> (p - k)%Z -> K b h (IZR p - IZR q - IZR k) < K b h 0)
  /\ (q = (p - k)%Z -> K b h (IZR p - IZR q - IZR k) = K b h 0).
Proof.
  intro Hh. rewrite <- !minus_IZR, K_0. repeat split.
  - apply K_le.
  - intro N. apply K_whole_lt; [assumption | lia].
  - intros ->. replace (p - (p - k) - k)%Z with 0%Z by lia. apply K_0.
Qed.

(* ---- Theorem 6.1 ---- *)
(* A random embedding: it is x t with probability w t, t < n. The entries have mean square s^2. *)
Theorem a_token_beside_its_encoding n w (x : nat -> vector) h b p s :
  (0 < h)%nat -> (forall j, (j < 2 * h)%nat -> sum n (fun t => w t * Rsqr (x t j)) = Rsqr s) -> 0 <= s ->
  sqrt (sum n (fun t => w t * norm2 (2 * h) (fun j => sqrt (INR (2 * h)) * x t j)) / norm2 (2 * h) (PE b h p))
    = s * sqrt (2 * INR (2 * h)).
Proof.
  intros Hh H Hs. assert (P : 0 < INR h) by (apply lt_0_INR; lia).
  assert (E : INR (2 * h) = 2 * INR h) by (rewrite mult_INR; simpl; ring).
  rewrite norm_of_an_encoding.
  replace (sum n (fun t => w t * norm2 (2 * h) (fun j => sqrt (INR (2 * h)) * x t j)))
    with (INR (2 * h) * (INR (2 * h) * Rsqr s)).
  - rewrite E. replace (2 * INR h * (2 * INR h * Rsqr s) / INR h) with (Rsqr s * (2 * (2 * INR h))) by (field; lra).
    rewrite sqrt_mult; [now rewrite sqrt_Rsqr | apply Rle_0_sqr | lra].
  - symmetry. unfold norm2, dot.
    transitivity (sum n (fun t => sum (2 * h) (fun j => INR (2 * h) * (w t * Rsqr (x t j))))).
    + apply sum_ext. intros t _. rewrite <- sum_scale. apply sum_ext. intros j _.
      transitivity (w t * (sqrt (INR (2 * h)) * sqrt (INR (2 * h))) * (x t j * x t j)); [ring|].
      rewrite sqrt_sqrt by (rewrite E; lra). unfold Rsqr. ring.
    + rewrite sum_swap, (sum_ext _ _ (fun _ => INR (2 * h) * Rsqr s)), sum_const; [reflexivity|].
      intros j Hj. now rewrite sum_scale, H.
Qed.
Corollary the_usual_scale h : (0 < h)%nat -> 1 / sqrt (INR (2 * h)) * sqrt (2 * INR (2 * h)) = sqrt 2.
Proof.
  intro Hh. assert (P : 0 < INR (2 * h)) by (apply lt_0_INR; lia).
  rewrite sqrt_mult by lra. field. apply Rgt_not_eq, sqrt_lt_R0, P.
Qed.

(* ---- Theorem 7.3 ---- *)
Theorem the_bias_does_not_change_when_both_move mu p q s : - mu * ((p + s) - (q + s)) = - mu * (p - q).
Proof. ring. Qed.
Lemma sum_divided n c f g : c <> 0 -> (forall j, (j < n)%nat -> f j = c * g j) -> sum n f = c * sum n g.
Proof. intros _ H. rewrite <- sum_scale. now apply sum_ext. Qed.
Theorem it_cannot_be_told_from_a_rise_along_the_keys n mu p (s : nat -> R) j :
  (j < n)%nat -> softmax n (fun q => s q - mu * (p - INR q)) j = softmax n (fun q => s q + mu * INR q) j.
Proof.
  intro L. unfold softmax.
  assert (E : forall q, exp (s q - mu * (p - INR q)) = exp (- mu * p) * exp (s q + mu * INR q)).
  { intro q. rewrite <- exp_plus. f_equal. ring. }
  rewrite (sum_ext _ _ _ (fun q _ => E q)), sum_scale, E.
  assert (0 < sum n (fun q => exp (s q + mu * INR q))).
  { apply Rlt_le_trans with (exp (s j + mu * INR j)); [apply exp_pos|].
    replace (exp (s j + mu * INR j)) with (sum n (fun q => if Nat.eqb q j then exp (s j + mu * INR j) else 0)).
    - apply sum_le. intros q _. destruct (Nat.eqb_spec q j) as [-> | N]; [lra | apply Rlt_le, exp_pos].
    - rewrite (sum_one _ _ j L); [now rewrite Nat.eqb_refl|]. intros q _ N. now apply Nat.eqb_neq in N as ->. }
  field. split; [lra | apply Rgt_not_eq, exp_pos].
Qed.
Lemma sum_shift n r f : sum (n + r) f = sum n f + sum r (fun j => f (n + j)%nat).
Proof.
  induction r; [rewrite Nat.add_0_r, sum_0; ring|]. rewrite Nat.add_succ_r, !sum_S, IHr. ring.
Qed.
(* All scores equal: the weight of the key at distance j is in proportion to exp (- mu j). The keys at distance n and
   more, of which there are r, have at most the fraction exp (- mu n) of it. *)
Theorem nearly_all_weight_is_near mu n r :
  sum r (fun j => exp (- mu * INR (n + j))) <= exp (- mu * INR n) * sum (n + r) (fun j => exp (- mu * INR j)).
Proof.
  rewrite (sum_ext r _ (fun j => exp (- mu * INR n) * exp (- mu * INR j))).
  - rewrite sum_scale. apply Rmult_le_compat_l; [apply Rlt_le, exp_pos|].
    rewrite (Nat.add_comm n r), sum_shift.
    assert (0 <= sum n (fun j => exp (- mu * INR (r + j)))) by (apply sum_nonneg; intros; apply Rlt_le, exp_pos). lra.
  - intros j _. rewrite <- exp_plus, plus_INR. f_equal. ring.
Qed.
